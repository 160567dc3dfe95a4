// Safetensors archives: [{name, dataType, shape, bytes}], 4-bit types packed.
import fs from 'node:fs';

const names = {
  F32: 'float32', F16: 'float16', I32: 'int32', U32: 'uint32', I64: 'int64', U64: 'uint64', I8: 'int8', U8: 'uint8',
};
const tags = Object.fromEntries(Object.entries(names).map(([tag, name]) => [name, tag]));
const width = { float16: 2, int64: 8, uint64: 8, int8: 1, uint8: 1, int4: 1, uint4: 1 };
const isPacked = (dataType) => dataType === 'int4' || dataType === 'uint4';

export function writeArchive(file, tensors) {
  const header = Object.create(null);
  if (tensors.some((t) => isPacked(t.dataType))) header.__metadata__ = { 'rustnn.webnn.packed4': '1' };
  const sorted = [...tensors].sort((a, b) => (width[b.dataType] ?? 4) - (width[a.dataType] ?? 4));
  let offset = 0;
  for (const { name, dataType, shape, bytes } of sorted) {
    const stored = isPacked(dataType) ? [bytes.length] : shape;
    header[name] = { dtype: tags[dataType] ?? 'U8', shape: stored, data_offsets: [offset, (offset += bytes.length)] };
  }
  let text = JSON.stringify(header);
  text += ' '.repeat((8 - (Buffer.byteLength(text) % 8)) % 8);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  fs.writeFileSync(file, Buffer.concat([length, Buffer.from(text), ...sorted.map((t) => t.bytes)]));
}

export function readArchive(file) {
  const all = fs.readFileSync(file);
  const length = Number(all.readBigUInt64LE(0));
  const header = JSON.parse(all.subarray(8, 8 + length));
  const tensors = Object.create(null);
  delete header.__metadata__;
  for (const [key, { dtype, shape, data_offsets: [begin, end] }] of Object.entries(header))
    tensors[key] = { dataType: names[dtype], shape, bytes: all.subarray(8 + length + begin, 8 + length + end) };
  return tensors;
}
