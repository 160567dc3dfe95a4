// 100 MB of weights: time to the first result and memory of emitted code, of a page, and of the same calls written by hand.
//   weights.mjs ONNX2WEBNN [RUNS]: prints medians and their ratio; not a test, since times are not
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { browser, main, serve, temporary } from './harness.mjs';

const layers = 25;
const size = 1024;

function write(folder) {
  const header = {};
  const block = Float32Array.from({ length: size * size }, (_, i) => ((i % 7) - 3) / 4096);
  for (let i = 0; i < layers; i++)
    header[`w${String(i).padStart(2, '0')}`] = { dtype: 'F32', shape: [size, size], data_offsets: [i * block.byteLength, (i + 1) * block.byteLength] };
  const text = JSON.stringify(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = fs.openSync(path.join(folder, 'big.safetensors'), 'w');
  for (const part of [length, Buffer.from(text)]) fs.writeSync(file, part);
  for (let i = 0; i < layers; i++) fs.writeSync(file, Buffer.from(block.map((v) => v + i / 1e6).buffer));
  fs.closeSync(file);
  const keys = Object.keys(header);
  fs.writeFileSync(path.join(folder, 'big.webnn'), `webnn_graph "big" v1 {\n  inputs { x: f32[1, ${size}]; }\n` +
    `  consts {\n${keys.map((k) => `    ${k}: f32[${size}, ${size}] @weights("${k}");`).join('\n')}\n  }\n` +
    `  nodes {\n${keys.map((k, i) => `    t${i} = matmul(${i ? `t${i - 1}` : 'x'}, ${k});`).join('\n')}\n  }\n  outputs { t${layers - 1} }\n}\n`);
}

/** In the page: how long from nothing to the first result, one way or the other. */
async function first({ url, emitted, sides, count }) {
  const begun = performance.now();
  const context = await navigator.ml.createContext();
  let result;
  if (emitted) {
    const module = await import(`${url}/big.mjs?${begun}`);
    const graph = await module.build(context, await module.load());
    result = (await module.run(context, graph, { x: new Float32Array(sides).fill(1) }))[`t${count - 1}`];
  } else {
    const all = await (await fetch(`${url}/big.safetensors`)).arrayBuffer();
    const length = Number(new DataView(all).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 8, length)));
    const builder = new MLGraphBuilder(context);
    const d = { dataType: 'float32', shape: [1, sides] };
    let t = builder.input('x', d);
    for (const { shape, data_offsets: [a, b] } of Object.values(header))
      t = builder.matmul(t, builder.constant({ dataType: 'float32', shape }, new Uint8Array(all, 8 + length + a, b - a)));
    const graph = await builder.build({ y: t });
    const x = await context.createTensor({ ...d, writable: true });
    const y = await context.createTensor({ ...d, readable: true });
    context.writeTensor(x, new Float32Array(sides).fill(1));
    context.dispatch(graph, { x }, { y });
    result = new Float32Array(await context.readTensor(y));
  }
  const ms = performance.now() - begun;
  context.destroy();
  return { ms, check: result[5] };
}

/** In the page of `emit html`: from the click on Run to its first result. */
async function clicked() {
  const begun = performance.now();
  const status = document.getElementById('status');
  document.getElementById('run').click();
  while (!/first run/.test(status.textContent)) {
    if (status.className === 'bad') throw new Error(status.textContent);
    await new Promise((done) => setTimeout(done, 5));
  }
  return { ms: performance.now() - begun };
}

async function once(url, way) {
  const b = await browser();
  await b.page.goto(way === 'page' ? `${url}/out/big.html` : url);
  const session = await b.context.newCDPSession(b.page);
  let most = 0;
  let measuring = true;
  const watch = (async () => {
    while (measuring) {
      const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
      most = Math.max(most, usedSize + backingStorageSize);
      await new Promise((done) => setTimeout(done, 20));
    }
  })();
  const answer = way === 'page' ? await b.page.evaluate(clicked)
    : await b.page.evaluate(first, { url: `${url}/out`, emitted: way === 'emitted', sides: size, count: layers });
  measuring = false;
  await watch;
  await b.close();
  return { ...answer, megabytes: most / 1e6 };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

await main(async ([tool, runs = '5']) => {
  const out = temporary();
  write(out);
  for (const [kind, name] of [['js', 'big.mjs'], ['html', 'big.html']])
    execFileSync(tool, ['emit', kind, path.join(out, 'big.webnn'), '-q', '-o', path.join(out, name)]);
  const server = await serve({ out });
  const ways = { 'by hand': 'hand', 'emit js': 'emitted', 'emit html': 'page' };
  const results = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let i = 0; i < Number(runs); i++)
    for (const [name, way] of Object.entries(ways)) results[name].push(await once(server.url, way));
  const ms = (name) => median(results[name].map((r) => r.ms));
  console.log('| 100 MB of weights | first result ms | to by hand | JavaScript heap MB |\n|---|---|---|---|');
  for (const name of Object.keys(ways))
    console.log(`| ${name} | ${ms(name).toFixed(0)} | ${(ms(name) / ms('by hand')).toFixed(2)} x | ${median(results[name].map((r) => r.megabytes)).toFixed(0)} |`);
  if (results['by hand'][0].check !== results['emit js'][0].check) throw new Error('the results differ');
  server.close();
  fs.rmSync(out, { recursive: true });
});
