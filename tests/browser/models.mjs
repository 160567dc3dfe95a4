// Published models end to end: converted, emitted, computed by the browser, compared with the engine `cpu`.
//   models.mjs ONNX2WEBNN
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readArchive, writeArchive } from './archive.mjs';
import { browser, main, root, serve, Tally, temporary } from './harness.mjs';
import { elements } from './compare.mjs';

/** Models whose sizes are given at the build only. */
const open = [
  ['magika', [], { unk__214: 2 }],
  ['ppocr2_cls', ['--override-dim', 'x_dim2=48', '--override-dim', 'x_dim3=192'], { x_dim0: 2 }],
  ['silero_vad_ifless', ['--pin-input', 'sr=16000'], { batch: 2, sequence: 576 }],
];

/** Reproducible values: floats of -1 to 1, integers of 0 to 100. */
function feed({ name, dataType, shape }) {
  const count = shape.reduce((a, b) => a * b, 1);
  let state = 12345;
  const next = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  const types = { float32: Float32Array, int32: Int32Array, int64: BigInt64Array, uint8: Uint8Array, int8: Int8Array };
  const values = Array.from({ length: count }, () => {
    if (dataType === 'float32') return next() * 2 - 1;
    return dataType === 'int64' ? BigInt(Math.floor(next() * 100)) : Math.floor(next() * 100);
  });
  return { name, dataType, shape, bytes: Buffer.from(types[dataType].from(values).buffer) };
}

/** In the page. */
async function runModule({ module, feeds, dims }) {
  const emitted = await import(module);
  const context = await emitted.createContext();
  const missing = emitted.check(context);
  if (missing.length) return { missing };
  const begun = performance.now();
  const graph = await emitted.build(context, await emitted.load(), { dims });
  const built = performance.now();
  const given = {};
  for (const { name, base64 } of feeds) given[name] = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
  const out = await emitted.run(context, graph, given);
  const ran = performance.now();
  const again = await emitted.run(context, graph, given);
  const results = {};
  let stable = true;
  for (const name in out) {
    const bytes = new Uint8Array(out[name].buffer);
    const other = new Uint8Array(again[name].buffer);
    stable &&= bytes.every((b, i) => b === other[i]);
    let text = '';
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    results[name] = btoa(text);
  }
  return { results, stable, buildMs: built - begun, runMs: ran - built };
}

/** Undefined when every value is within `absolute + relative * |want|`. */
function differs(got, want, absolute, relative) {
  const a = elements(want.dataType, new Uint8Array(got), got.length);
  const b = elements(want.dataType, new Uint8Array(want.bytes), want.bytes.length);
  if (a.length !== b.length) return `${a.length} values, must be ${b.length}`;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    const x = Number(a[i]);
    const y = Number(b[i]);
    if (Object.is(x, y) || (x !== x && y !== y)) continue;
    const share = Math.abs(x - y) / (absolute + relative * Math.abs(y));
    if (!(share <= 1)) return `value ${i} is ${x}, must be ${y}`;
    worst = Math.max(worst, share);
  }
  return undefined;
}

async function prove(b, server, tool, out, { name, base, shapes, dims }) {
  const { inputs } = await import(path.join(out, `${base}.mjs`));
  const feeds = inputs.map((port) => feed({ ...port, shape: port.shape.map((d) => d.name ? dims[d.name] : d) }));
  writeArchive(path.join(out, 'feeds.safetensors'), feeds);
  execFileSync(tool, ['run', path.join(out, `${base}.webnn`), '-q', '-i', path.join(out, 'feeds.safetensors'),
    '-o', path.join(out, 'want.safetensors')]);
  const answer = await b.page.evaluate(runModule, {
    module: `${server.url}/out/${base}.mjs`, dims,
    feeds: feeds.map((f) => ({ name: f.name, base64: f.bytes.toString('base64') })),
  });
  if (answer.missing) return `refused: ${answer.missing.join('; ')}`;
  if (!answer.stable) return 'a second run gives other values';
  for (const [output, want] of Object.entries(readArchive(path.join(out, 'want.safetensors')))) {
    if (answer.results[output] === undefined) return `no output '${output}'`;
    const why = differs(Buffer.from(answer.results[output], 'base64'), want, 1e-5, 1e-4);
    if (why) return `output '${output}': ${why}`;
  }
  console.log(`${name}: build ${answer.buildMs.toFixed(0)} ms, first run ${answer.runMs.toFixed(0)} ms`);
  return undefined;
}

await main(async ([tool]) => {
  const getModels = path.join(root, 'tools/get-models');
  const out = temporary();
  const server = await serve({ out });
  const tally = new Tally();
  const b = await browser();
  await b.page.goto(server.url);
  const list = execFileSync(getModels, ['--list'], { encoding: 'utf8' }).trim().split('\n').map((l) => l.split(/\s/)[0]);
  for (const base of list) {
    if (spawnSync(getModels, [base]).status !== 0) {
      tally.skip(base, 'the model cannot be fetched');
      continue;
    }
    const options = execFileSync(getModels, ['--arguments', base], { encoding: 'utf8' }).trim().split(/\s+/);
    let why;
    try {
      execFileSync(tool, ['convert', '-q', '--model', path.join(root, '.deps/models', `${base}.onnx`), '-o', `${out}/`, ...options], { stdio: 'pipe' });
      execFileSync(tool, ['emit', 'js', path.join(out, `${base}.webnn`), '-q', '-o', path.join(out, `${base}.mjs`)], { stdio: 'pipe' });
      why = await prove(b, server, tool, out, { name: base, base });
    } catch (error) {
      why = String(error.stderr || error.message).split('\n').slice(0, 4).join(' ');
    }
    tally.judge(base, why);
  }
  for (const [base, options, dims] of open) {
    if (!list.includes(base) || !fs.existsSync(path.join(root, '.deps/models', `${base}.onnx`))) continue;
    let why;
    try {
      execFileSync(tool, ['convert', '-q', '--model', path.join(root, '.deps/models', `${base}.onnx`), '-o', path.join(out, `open_${base}.webnn`), '--experimental-dynamic-inputs', ...options], { stdio: 'pipe' });
      execFileSync(tool, ['emit', 'js', path.join(out, `open_${base}.webnn`), '-q', '-o', path.join(out, `open_${base}.mjs`)], { stdio: 'pipe' });
      why = await prove(b, server, tool, out, { name: `${base} ${JSON.stringify(dims)}`, base: `open_${base}`, dims });
    } catch (error) {
      why = String(error.stderr || error.message).split('\n').slice(0, 4).join(' ');
    }
    tally.judge(`${base} with open dimensions`, why);
  }
  tally.judge('console', b.messages.length ? b.messages[0] : undefined);
  await b.close();
  server.close();
  fs.rmSync(out, { recursive: true });
  tally.finish();
});
