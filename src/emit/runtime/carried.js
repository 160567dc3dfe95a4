
// ---- types that the browser only moves ----

/** Bytes of two elements as one byte each. */
function unpacked(packed, { dataType, shape }) {
  const bytes = new Uint8Array(shape.reduce((a, b) => a * b, 1));
  for (let i = 0; i < bytes.length; i++) bytes[i] = (packed[i >> 1] >> (4 * (i & 1))) & 15;
  if (dataType === 'int4') for (let i = 0; i < bytes.length; i++) if (bytes[i] > 7) bytes[i] |= 240;
  return bytes;
}

/** One byte per element as two elements each, the first in the low half. */
function packed(bytes) {
  const halves = new Uint8Array(Math.ceil(bytes.length / 2));
  for (let i = 0; i < bytes.length; i++) halves[i >> 1] |= (bytes[i] & 15) << (4 * (i & 1));
  return halves;
}

/** Inputs and outputs whose operands carry another type: 4-bit types as 8, uint64 as int64. */
const carried = {
  in: (bytes, wanted) => (bits[wanted.dataType] === 4 ? unpacked(bytes, wanted) : bytes),
  out: (buffer, { dataType }) => (bits[dataType] === 4 ? packed(new Uint8Array(buffer)).buffer : buffer),
};
