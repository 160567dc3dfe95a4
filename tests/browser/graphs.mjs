// Graphs of their own kind, in the browser and on the engine `cpu`: the same bytes.
//   graphs.mjs ONNX2WEBNN FOLDER
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readArchive, writeArchive } from './archive.mjs';
import { browser, main, serve, Tally, temporary } from './harness.mjs';

const top = 2n ** 63n;
const values = {
  float32: [3.5, -1e9, 1e9, 1.25e19, Infinity, -0.0625, 2.5, -2.5],
  float16: [0x3c00, 0xc200, 0x0001, 0x7bff, 0xfc00, 0x3555],
  int32: [-(2 ** 31), 2 ** 31 - 1, -1, 0, 7],
  uint32: [2 ** 32 - 1, 0, 2 ** 31, 1, 5],
  int64: [-top, top - 1n, -1n, 0n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n],
  uint64: [0n, 1n, top - 1n, top, 2n * top - 1n, 2n ** 53n + 1n, 3n],
  int8: [-128, 127, -1, 0, 3],
  uint8: [255, 0, 128, 1, 3],
};
const arrays = {
  float32: Float32Array, float16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  uint64: BigUint64Array, int8: Int8Array, uint8: Uint8Array,
};

/** The extremes of a type in turn, starting elsewhere for every input. */
function feed({ name, dataType, shape }, index) {
  const count = shape.reduce((a, b) => a * b, 1);
  if (!arrays[dataType])
    return { name, dataType, shape, bytes: Buffer.from(Uint8Array.from({ length: Math.ceil(count / 2) },
      (_, i) => (2 * i + 1 < count ? 0x8f + 29 * i : (0x8f + 29 * i) & 15))) };
  const list = values[dataType];
  const data = arrays[dataType].from({ length: count }, (_, i) => list[(i + 3 * index) % list.length]);
  return { name, dataType, shape, bytes: Buffer.from(data.buffer) };
}

/** In the page: results as base64, by name. */
async function runModule({ module, feeds }) {
  const emitted = await import(module);
  const context = await emitted.createContext();
  const graph = await emitted.build(context, await emitted.load());
  const given = Object.create(null);
  for (const [name, base64] of feeds) given[name] = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
  const out = await emitted.run(context, graph, given);
  context.destroy();
  return Object.entries(out).map(([name, view]) => [
    name, btoa(String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset, view.byteLength))),
  ]);
}

async function prove(b, server, tool, out, file) {
  const base = path.basename(file, '.webnn');
  const wanted = path.join(out, 'want.safetensors');
  execFileSync(tool, ['emit', 'js', file, '-q', '-o', path.join(out, `${base}.mjs`), '--weight-data', 'inline'], { stdio: 'pipe' });
  const { inputs, outputs } = await import(path.join(out, `${base}.mjs`));
  const feeds = inputs.map(feed);
  writeArchive(path.join(out, 'feeds.safetensors'), feeds);
  execFileSync(tool, ['run', file, '-q', '-i', path.join(out, 'feeds.safetensors'), '-o', wanted], { stdio: 'pipe' });
  const results = new Map(await b.page.evaluate(runModule, {
    module: `${server.url}/out/${base}.mjs`, feeds: feeds.map((f) => [f.name, f.bytes.toString('base64')]),
  }));
  const want = readArchive(wanted);
  for (const { name } of outputs) {
    const got = Buffer.from(results.get(name) ?? '', 'base64');
    if (!got.equals(want[name].bytes))
      return `'${name}' is ${got.toString('hex')}, must be ${Buffer.from(want[name].bytes).toString('hex')}`;
  }
  return outputs.length === Object.keys(want).length ? undefined : 'outputs are missing';
}

await main(async ([tool, folder]) => {
  const out = temporary();
  const server = await serve({ out });
  const tally = new Tally();
  const b = await browser();
  await b.page.goto(server.url);
  for (const name of fs.readdirSync(folder).sort()) {
    let why;
    try {
      why = await prove(b, server, tool, out, path.join(folder, name));
    } catch (error) {
      why = String(error.stderr || error.message).split('\n').slice(0, 4).join(' ');
    }
    tally.judge(name, why);
  }
  await b.close();
  server.close();
  fs.rmSync(out, { recursive: true });
  tally.finish();
});
