// Distances of results by the conformance suite's own metrics.

const views = {
  float32: Float32Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array,
  int8: Int8Array, uint8: Uint8Array, float16: Uint16Array,
};

function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

function nibbles(bytes, signed, count) {
  return Array.from({ length: count }, (_, i) => {
    const nibble = (bytes[i >> 1] >> (i & 1 ? 4 : 0)) & 15;
    return signed && nibble > 7 ? nibble - 16 : nibble;
  });
}

/** Storage bytes as numbers or BigInts. */
export function elements(dataType, bytes, count) {
  if (dataType === 'int4' || dataType === 'uint4') return nibbles(bytes, dataType === 'int4', count);
  const copy = bytes.slice();
  const view = new views[dataType](copy.buffer, 0, copy.byteLength / views[dataType].BYTES_PER_ELEMENT);
  return dataType === 'float16' ? Array.from(view, half) : view;
}

const order = new DataView(new ArrayBuffer(4));
function ordered32(value) {
  order.setFloat32(0, value);
  const bits = order.getUint32(0);
  return bits & 0x80000000 ? -(bits & 0x7fffffff) : bits;
}

function ordered16(bits) {
  return bits & 0x8000 ? -(bits & 0x7fff) : bits;
}

function ulp(dataType, got, want, gotBits, wantBits) {
  if (dataType === 'float32') return Math.abs(ordered32(got) - ordered32(want));
  if (dataType === 'float16') return Math.abs(ordered16(gotBits) - ordered16(wantBits));
  return Number(got > want ? got - want : want - got);
}

function distance(metric, dataType, got, want, gotBits, wantBits) {
  if (metric !== 'BITS' && (got === want || (got !== got && want !== want))) return 0;
  if (metric === 'BITS') return gotBits === wantBits ? 0 : Infinity;
  const float = dataType.startsWith('float');
  if (float && !(Number.isFinite(got) && Number.isFinite(want))) return Infinity;
  return metric === 'ULP' ? ulp(dataType, got, want, gotBits, wantBits) : Math.abs(Number(got) - Number(want));
}

/** Undefined when all elements are near enough; else what differs most. */
export function compare(metric, allowed, dataType, gotBytes, wantBytes, count, numbers) {
  const got = elements(dataType, gotBytes, count);
  const want = numbers ?? elements(dataType, wantBytes, count);
  const bits = { float32: Uint32Array, float16: Uint16Array }[dataType];
  const gotBits = bits ? new bits(gotBytes.slice().buffer) : got;
  const wantBits = bits && !numbers ? new bits(wantBytes.slice().buffer) : want;
  let worst = { distance: 0 };
  for (let i = 0; i < count; i++) {
    const d = distance(metric, dataType, got[i], want[i], gotBits[i], wantBits[i]);
    if (!(d <= worst.distance)) worst = { distance: d, index: i, got: got[i], want: want[i] };
  }
  if (worst.distance <= allowed) return undefined;
  return `element ${worst.index} is ${worst.got}, must be ${worst.want}: ${worst.distance} off, ${allowed} allowed`;
}
