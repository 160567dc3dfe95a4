// load() of emitted modules: every kind of source gives the same bytes, and what does not fit is refused.
//   loader.mjs ONNX2WEBNN; needs node, no browser
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArchive, writeArchive } from './archive.mjs';
import { Tally, temporary } from './harness.mjs';

const pattern = (count, seed) => Buffer.from(Uint8Array.from({ length: count }, (_, i) => (i * seed + 7) & 255));
const weights = [
  { name: 'a/b:0', dataType: 'float32', shape: [20, 30], bytes: pattern(2400, 3) },
  { name: '__proto__', dataType: 'int8', shape: [333], bytes: pattern(333, 5) },
  { name: 'far', dataType: 'float32', shape: [30, 300], bytes: pattern(36000, 11) },
  { name: 'packed', dataType: 'int4', shape: [30, 19], bytes: pattern(285, 13) },
];

function write(folder, name, tensors) {
  writeArchive(path.join(folder, name), tensors);
}

function writeGraph(folder) {
  fs.writeFileSync(path.join(folder, 'g.webnn'), `webnn_graph "g" v2 @quantized {
  inputs { x: f32[4, 20]; y: i8[333]; }
  consts { w: f32[20, 30] @weights("a/b:0"); p: i8[333] @weights("__proto__"); v: f32[30, 300] @weights("far"); q: i4[30, 19] @weights("packed"); s: f32[1, 1] @scalar(0.5); z: i4[1, 1] @bytes([1]); }
  nodes { a = matmul(x, w); b = matmul(a, v); d = dequantizeLinear(q, s, z); e = matmul(a, d); f = max(y, p); }
  outputs { b, e, f }
}
`);
}

/** Serves the folder: with ranges, without, or with ranges that are not what was asked for. */
async function serveFolder(folder) {
  let asked = 0;
  const server = http.createServer((request, response) => {
    const [, way, name] = new URL(request.url, 'http://x').pathname.split('/');
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    const all = fs.readFileSync(file);
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    asked++;
    if (way === 'all' || !range) return response.writeHead(200, { 'content-length': all.length }).end(all);
    const [begin, end] = [Number(range[1]), Math.min(Number(range[2]), all.length - 1)];
    const told = way === 'wrong' && begin ? begin + 1 : begin;
    return response.writeHead(206, { 'content-range': `bytes ${told}-${end}/${all.length}` }).end(all.subarray(begin, end + 1));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, requests: () => asked, close: () => server.close() };
}

const every = { dataTypes: ['float32', 'int8', 'uint8', 'int4', 'int32'], rankRange: { min: 0, max: 8 } };
const context = {
  opSupportLimits: () => new Proxy({}, { get: (_, k) => (k === 'maxTensorByteLength' ? 2 ** 31 : new Proxy(every, { get: (t, m) => t[m] ?? every })) }),
};

/** The constants that build() makes, by their bytes. */
async function constantsOf(emitted, source) {
  const made = [];
  globalThis.MLGraphBuilder = class {
    constructor() {
      return new Proxy({}, {
        get: (_, method) => (...args) => {
          if (method === 'constant' && args[0].shape?.length) made.push(`${args[0].dataType} ${args[0].shape} ${Buffer.from(args[1].buffer ?? args[1], args[1].byteOffset ?? 0, args[1].byteLength).toString('hex')}`);
          return method === 'build' ? Promise.resolve({}) : {};
        },
      });
    }
  };
  await emitted.build(context, await emitted.load(source));
  return made;
}

const folder = temporary();
writeGraph(folder);
write(folder, 'g.safetensors', weights);
execFileSync(process.argv[2], ['emit', 'js', path.join(folder, 'g.webnn'), '-q', '-o', path.join(folder, 'g.mjs')], { stdio: 'pipe' });
const emitted = await import(pathToFileURL(path.join(folder, 'g.mjs')).href);
const server = await serveFolder(folder);
const tally = new Tally();
const archive = fs.existsSync(path.join(folder, 'g.mjs.safetensors')) ? 'g.mjs.safetensors' : 'g.safetensors';
/** The weights under the module's own keys. */
const own = Object.entries(readArchive(path.join(folder, archive))).map(([name, t]) => {
  const given = weights.find((w) => w.bytes.equals(t.bytes));
  return given ? { ...given, name } : { name, ...t, dataType: 'int4' };
});
const keyOf = (name) => own.find((t) => t.bytes.equals(weights.find((w) => w.name === name).bytes)).name;
const bytes = fs.readFileSync(path.join(folder, archive));
const shifted = new Uint8Array(bytes.length + 3);
shifted.set(bytes, 3);

const has = (made) => weights.every((w) => made.includes(`${w.dataType} ${w.shape} ${w.bytes.toString('hex')}`)) ? undefined : `constants are ${made.map((m) => m.slice(0, 40)).join('; ')}`;
const sources = {
  'a server with ranges': `${server.url}/ranges/${archive}`,
  'a server that gives all at once': new URL(`${server.url}/all/${archive}`),
  'a Blob': new Blob([bytes]),
  'an ArrayBuffer': bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  'a view with an offset': shifted.subarray(3),
};
for (const [name, source] of Object.entries(sources))
  tally.judge(`weights from ${name}`, await constantsOf(emitted, source).then(has, (error) => error.message));

const changed = (name, change) => own.map((t) => (t.name === keyOf(name) ? { ...t, ...change } : t));
const plain = own.map((t) => (t.dataType === 'int4' ? { ...t, dataType: 'uint8', shape: [t.bytes.length] } : t));
const bad = {
  'another shape': [changed('a/b:0', { shape: [30, 20] }), /weight '.*' is F32 \[30,20\], must be F32 \[20,30\]/],
  'another type': [changed('far', { dataType: 'int32' }), /weight '.*' is I32/],
  'no such weight': [changed('__proto__', { name: 'other' }), /the weights have no '/],
  'no marker of packed weights': [plain, /isn't marked so/],
};
for (const [name, [tensors, message]] of Object.entries(bad)) {
  write(folder, 'bad.safetensors', tensors);
  const why = await constantsOf(emitted, `${server.url}/ranges/bad.safetensors`).then(() => 'it is taken', (error) => (message.test(error.message) ? undefined : error.message));
  tally.judge(`refused: ${name}`, why);
}
const faults = {
  'an archive that ends early': [new Blob([bytes.subarray(0, bytes.length - 9)]), /lies outside the archive|end early/],
  'a stream that ends early': [`${server.url}/all/short.safetensors`, /ends at byte|lies outside/],
  'no archive at all': [new Blob(['hello']), /no safetensors archive/],
  'a page that is not there': [`${server.url}/ranges/nothing`, /404/],
  'a range of another place': [`${server.url}/wrong/${archive}`, /asked for bytes/],
  'a number': [7, /weights come from a URL/],
};
fs.writeFileSync(path.join(folder, 'short.safetensors'), bytes.subarray(0, bytes.length - 9));
for (const [name, [source, message]] of Object.entries(faults)) {
  const why = await constantsOf(emitted, source).then(() => 'it is taken', (error) => (message.test(error.message) ? undefined : error.message));
  tally.judge(`refused: ${name}`, why);
}
server.close();
fs.rmSync(folder, { recursive: true });
tally.finish();
