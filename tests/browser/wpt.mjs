// Every conformance case as emitted JavaScript, in the browser.
//   wpt.mjs EMITTER DATA [--by-hand] [--target NAME] [--expected FILE]
// --by-hand makes the same calls straight from the case's data, which is what emitted code is measured by.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { browser, main, serve, Tally, temporary } from './harness.mjs';
import { compare } from './compare.mjs';

/** In the page: one case, from its module or by hand; results as hex by name. */
async function runCase({ test, module }) {
  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (b) => parseInt(b, 16));
  const hexOf = (view) =>
    Array.from(new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength), (b) =>
      b.toString(16).padStart(2, '0'),
    ).join('');
  const size = ({ dataType, shape }) => {
    const width = { float16: 2, int64: 8, uint64: 8, int8: 1, uint8: 1, int4: 0.5, uint4: 0.5 }[dataType] ?? 4;
    return Math.ceil(shape.reduce((a, b) => a * b, 1) * width);
  };
  const data = (t) => {
    if (t.hex !== undefined) return bytesOf(t.hex);
    const one = bytesOf(t.hexFill);
    const all = new Uint8Array(size(t));
    for (let i = 0; i < all.length; i++) all[i] = one[i % one.length];
    return all;
  };
  const context = await navigator.ml.createContext();
  const results = {};
  if (module) {
    const emitted = await import(module);
    const graph = await emitted.build(context, await emitted.load());
    const feeds = {};
    for (const { name } of emitted.inputs) feeds[name] = data(test.inputs[name]).buffer;
    const out = await emitted.run(context, graph, feeds);
    for (const name in out) results[name] = hexOf(out[name]);
    context.destroy();
    return results;
  }
  const builder = new MLGraphBuilder(context);
  const operands = {};
  const feeds = {};
  for (const [name, t] of Object.entries(test.inputs)) {
    const descriptor = { dataType: t.dataType, shape: t.shape };
    if (t.constant) operands[name] = builder.constant(descriptor, data(t));
    else {
      operands[name] = builder.input(name, descriptor);
      feeds[name] = await context.createTensor({ ...descriptor, writable: true });
      context.writeTensor(feeds[name], data(t));
    }
  }
  const value = (v, wide) => {
    if (v?.operand) return operands[v.operand];
    if (v?.operands) return v.operands.map((n) => operands[n]);
    if (typeof v === 'string' && /^-?\d+$/.test(v)) return wide ? BigInt(v) : Number(v);
    if (typeof v === 'string' && ['NaN', 'Infinity', '-Infinity', '-0'].includes(v)) return Number(v);
    return v;
  };
  for (const { op, args, options, outputs } of test.operators) {
    const list = args.map((a) => value(a.value, true));
    if (options) list.push(Object.fromEntries(Object.entries(options).map(([k, v]) => [k, value(v, true)])));
    const made = builder[op](...list);
    [outputs].flat().forEach((name, i) => (operands[name] = [made].flat()[i]));
  }
  const named = {};
  const tensors = {};
  for (const name of Object.keys(test.outputs)) {
    named[name] = operands[name];
    const { dataType, shape } = operands[name];
    tensors[name] = await context.createTensor({ dataType, shape: [...shape], readable: true });
  }
  context.dispatch(await builder.build(named), feeds, tensors);
  for (const name in tensors) results[name] = hexOf(await context.readTensor(tensors[name]));
  context.destroy();
  return results;
}

function bytes(hex) {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

function judge(test, results) {
  for (const [name, t] of Object.entries(test.outputs)) {
    const count = t.shape.reduce((a, b) => a * b, 1);
    const got = bytes(results[name] ?? '');
    let want = t.hex !== undefined ? bytes(t.hex) : undefined;
    if (!want) want = Uint8Array.from(got, (_, i) => bytes(t.hexFill)[i % (t.hexFill.length / 2)]);
    const packed = t.dataType.endsWith('int4');
    if (got.length !== want.length) return `'${name}' has ${got.length} bytes, must be ${want.length}`;
    const metric = test.bitExact ? 'BITS' : (test.tolerance?.metric ?? 'ULP');
    const why = compare(metric, Number(test.tolerance?.value ?? 0), t.dataType, got, want, count,
      packed && t.data ? t.data.map(Number) : undefined);
    if (why) return `'${name}' ${why}`;
  }
  return undefined;
}

await main(async (args) => {
  const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const [emitter, data] = args;
  const byHand = args.includes('--by-hand');
  const out = temporary();
  execFileSync(emitter, [data, out, ...(option('--target') ? [option('--target')] : [])]);
  const server = await serve({ cases: out });
  const tally = new Tally(option('--expected'));
  const b = await browser();
  await b.page.goto(server.url);
  const files = new Map();
  for (const { file, index, name, module, skip, refused } of JSON.parse(fs.readFileSync(`${out}/cases.json`))) {
    if (!files.has(file)) files.set(file, JSON.parse(fs.readFileSync(path.join(data, file))).tests);
    const test = files.get(file)[index];
    const label = `${file}: ${name}`;
    if (skip) tally.skip(label, skip);
    else if (refused && !byHand) tally.judge(label, refused.split('\n')[0]);
    else {
      let why;
      try {
        const request = { test, module: byHand ? undefined : `${server.url}/cases/${module}` };
        why = judge(test, await b.page.evaluate(runCase, request));
      } catch (error) {
        why = error.message.split('\n').slice(0, 3).join(' ').replace(/^page.evaluate: /, '');
      }
      tally.judge(label, why);
    }
  }
  await b.close();
  server.close();
  fs.rmSync(out, { recursive: true });
  tally.finish();
});
