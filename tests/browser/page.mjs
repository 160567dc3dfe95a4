// The emitted page: opens as a file and from the server of the command, runs, is searched, is accessible.
//   page.mjs ONNX2WEBNN [--pictures FOLDER]: with it, only takes the pictures of the documentation
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { browser, main, root, Tally, temporary } from './harness.mjs';

const axeFile = path.join(root, '.deps/browser/node_modules/axe-core/axe.min.js');
const ready = () => document.getElementById('status').textContent !== 'starting';
const shown = () => document.getElementById('graph').dataset.ready === 'true';
const ended = () => /first run|must|cannot|isn't|no /.test(document.getElementById('status').textContent);

/** A chain with weights: y = softmax(x * w + b). */
function writeGraph(folder) {
  fs.writeFileSync(path.join(folder, 'small.webnn'), `webnn_graph "small <&> graph" v1 {
  # o2w name x "x/<script>:0"
  # o2w labels y ["cat", "dog", "</script>"]
  inputs { x: f32[1, 4]; }
  consts { w: f32[4, 3]; b: f32[3] @bytes([0,0,128,63,0,0,0,64,0,0,64,64]); }
  nodes { p = matmul(x, w); s = add(p, b); y = softmax(s, axis=1); }
  outputs { y }
}
`);
  const values = Float32Array.from({ length: 12 }, (_, i) => (i - 6) / 8);
  const header = JSON.stringify({ w: { dtype: 'F32', shape: [4, 3], data_offsets: [0, 48] } });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  fs.writeFileSync(path.join(folder, 'small.safetensors'), Buffer.concat([length, Buffer.from(header), Buffer.from(values.buffer)]));
}

/** Ten chains side by side that are joined at every step. */
function writeBig(folder, operators) {
  const names = Array(10).fill('x');
  const nodes = [];
  for (let n = 0; n < operators; n++) {
    const i = n % 10;
    nodes.push(`    n${n} = add(${names[i]}, ${names[(i + 1) % 10]});`);
    names[i] = `n${n}`;
  }
  fs.writeFileSync(path.join(folder, 'big.webnn'),
    `webnn_graph "big" v1 {\n  inputs { x: f32[4]; }\n  nodes {\n${nodes.join('\n')}\n  }\n  outputs { ${names.join(', ')} }\n}\n`);
}

/** 400 layers of two parts each, by the names of their operators. */
function writeLayers(folder) {
  const nodes = [];
  for (let n = 0; n < 20000; n++) {
    const [layer, part] = [Math.floor(n / 50), n % 50 < 25 ? 'attention' : 'mlp'];
    nodes.push(`    n${n} = ${['add', 'mul', 'max', 'div'][n % 4]}(${n ? `n${n - 1}` : 'x'}, ${n < 50 ? 'x' : `n${n - 50}`}, label="/model/layers.${layer}/${part}/op${n % 25}");`);
  }
  fs.writeFileSync(path.join(folder, 'layers.webnn'),
    `webnn_graph "layers" v1 {\n  inputs { x: i64[4]; }\n  nodes {\n${nodes.join('\n')}\n  }\n  outputs { n19999 }\n}\n`);
}

function npy(values, shape) {
  let head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  head += `${' '.repeat(63 - ((10 + head.length) % 64))}\n`;
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length & 255, head.length >> 8]);
  return Buffer.concat([start, Buffer.from(head), Buffer.from(Float32Array.from(values).buffer)]);
}

async function serving(tool, folder) {
  const port = 20000 + (process.pid % 20000);
  const child = spawn(tool, ['serve', '--port', String(port), folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const failed = new Promise((done) => child.on('exit', () => done(false)));
  const said = new Promise((done) => child.stdout.once('data', () => done(true)));
  if (!(await Promise.race([failed, said]))) return undefined;
  return { url: `http://127.0.0.1:${port}`, close: () => child.kill('SIGTERM') };
}

async function serious(page) {
  if (!fs.existsSync(axeFile)) return undefined;
  const source = fs.readFileSync(axeFile, 'utf8');
  const results = await page.evaluate(`${source};axe.run(document, {resultTypes: ['violations']})`);
  return results.violations.filter((v) => ['serious', 'critical'].includes(v.impact))
    .map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 100)}`).join('; ');
}

async function run(page) {
  await page.waitForFunction(ready);
  await page.click('#run');
  await page.waitForFunction(ended, null, { timeout: 120000 });
  return page.textContent('#status');
}

async function asFile(tally, b, folder) {
  b.requests.length = b.messages.length = 0;
  const address = pathToFileURL(path.join(folder, 'inline.html')).href;
  await b.page.goto(address);
  await b.page.waitForFunction(shown);
  const status = await run(b.page);
  tally.judge('a page with its weights runs as a file', /first run/.test(status) ? undefined : status);
  const outside = b.requests.filter((url) => url !== address && !url.startsWith('blob:') && !url.startsWith('data:'));
  tally.judge('it asks for nothing', outside[0]);
  tally.judge('its console stays empty', b.messages[0]);
  tally.judge('names are text, never markup', (await b.page.title()) === 'small <&> graph' ? undefined : await b.page.title());
  const text = await b.page.textContent('#outputs');
  tally.judge('labels stand beside the greatest values', /<\/script>/.test(text) && /cat/.test(text) ? undefined : text);
  return text;
}

async function feeding(tally, b, folder) {
  fs.writeFileSync(path.join(folder, 'x.npy'), npy([1, 0, 0, 0], [1, 4]));
  await b.page.setInputFiles('#input0file', path.join(folder, 'x.npy'));
  await b.page.waitForFunction(() => document.querySelector('#inputs .good'));
  await b.page.click('#run');
  await b.page.waitForFunction(() => document.querySelector('#outputs pre'));
  const got = (await b.page.textContent('#outputs pre')).trim().split(' ').map(Number);
  const logits = [-0.75 + 1, -0.625 + 2, -0.5 + 3].map(Math.exp);
  const sum = logits.reduce((a, c) => a + c);
  const off = Math.max(...logits.map((v, i) => Math.abs(v / sum - got[i])));
  tally.judge('an npy file is what the graph computes on', off < 1e-6 ? undefined : `${got}: ${off} off`);
  fs.writeFileSync(path.join(folder, 'bad.npy'), npy([1, 0, 0], [1, 3]));
  await b.page.setInputFiles('#input0file', path.join(folder, 'bad.npy'));
  await b.page.waitForFunction(() => document.querySelector('#inputs .bad'));
  const why = await b.page.textContent('#inputs .bad');
  tally.judge('a file of another size is refused with both sizes', /\[1, 3\].*\[1, 4\]/.test(why) ? undefined : why);
}

async function looking(tally, b) {
  await b.page.locator('#graph').press('/');
  await b.page.keyboard.type('matmul');
  tally.judge('search finds by operator', (await b.page.textContent('#found')) === '1 found' ? undefined : await b.page.textContent('#found'));
  await b.page.keyboard.press('Enter');
  const panel = await b.page.textContent('#panel');
  tally.judge('the panel shows the call and both ends', /builder\.matmul/.test(panel) && /from/.test(panel) && /to/.test(panel) ? undefined : panel);
  for (const scheme of ['light', 'dark']) {
    await b.page.emulateMedia({ colorScheme: scheme });
    const found = await serious(b.page);
    if (found === undefined) tally.skip(`accessible, ${scheme}`, 'axe-core is not here: tools/setup browser fetches it');
    else tally.judge(`accessible, ${scheme}`, found || undefined);
  }
  await b.page.emulateMedia({ colorScheme: 'light' });
}

async function served(tally, b, tool, folder) {
  const server = await serving(tool, folder);
  if (!server) {
    tally.skip('the server of the command', 'libmicrohttpd is not here');
    return;
  }
  b.requests.length = b.messages.length = 0;
  await b.page.goto(`${server.url}/external.html`);
  const status = await run(b.page);
  tally.judge('a page beside its archive runs from the server', /first run/.test(status) ? undefined : status);
  tally.judge('it asks its own server only', b.requests.find((url) => !url.startsWith(server.url) && !url.startsWith('data:')));
  tally.judge('no message of its policy', b.messages[0]);
  tally.judge('pages are isolated', (await b.page.evaluate(() => crossOriginIsolated)) ? undefined : 'crossOriginIsolated is false');
  server.close();
}

async function big(tally, b, folder) {
  b.messages.length = 0;
  await b.page.goto(pathToFileURL(path.join(folder, 'big.html')).href);
  await b.page.waitForFunction(() => document.getElementById('graph').dataset.frame);
  const count = await b.page.textContent('#count');
  tally.judge('20,000 operators are shown', /^20011 nodes/.test(count) ? undefined : count);
  const frames = await b.page.evaluate(async () => {
    const canvas = document.getElementById('graph');
    for (let i = 0; i < 40 && Number(canvas.dataset.visible) < 2000; i++) {
      viewer.zoom(0.85);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    const times = [];
    for (let i = 0; i < 30; i++) {
      viewer.pan(0, 3);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      times.push(Number(canvas.dataset.frame));
    }
    return { visible: Number(canvas.dataset.visible), median: times.sort((x, y) => x - y)[15] };
  });
  console.log(`${frames.visible} nodes visible: ${frames.median} ms of script per frame (median of 30)`);
  await b.page.fill('#find', 'n19999');
  tally.judge('search finds an operator of 20,000 and the output of its name', (await b.page.textContent('#found')) === '2 found' ? undefined : await b.page.textContent('#found'));
  tally.judge('its console stays empty too', b.messages[0]);
}

const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

async function layered(tally, b, folder) {
  const is = (name, good, found) => tally.judge(name, good ? undefined : String(found));
  const text = (id) => b.page.textContent(`#${id}`);
  b.messages.length = b.requests.length = 0;
  const begun = performance.now();
  await b.page.goto(pathToFileURL(path.join(folder, 'layers.html')).href);
  await b.page.waitForFunction(() => document.getElementById('graph').dataset.frame);
  console.log(`20,002 nodes in 1,200 groups: open in ${(performance.now() - begun).toFixed(0)} ms`);
  const data = await b.page.evaluate(() => document.getElementById('data').type);
  is('large data are compressed', data === 'application/gzip', data);
  is('layers and their parts are groups', /20002 nodes, 40001 edges, 1200 groups/.test(await text('count')), await text('count'));
  const seen = async () => Number(await b.page.evaluate(() => document.getElementById('graph').dataset.items));
  is('groups are folded at first', (await seen()) === 402, await seen());
  await b.page.evaluate(() => viewer.toggle(1));
  await painted(b.page);
  is('a group opens', (await seen()) === 403 && /opened/.test(await text('said')), `${await seen()} ${await text('said')}`);
  await b.page.evaluate(() => viewer.toggleAll(true));
  await painted(b.page);
  is('all groups open', (await seen()) === 20002, await seen());
  await b.page.evaluate(() => viewer.toggleAll(false));
  await b.page.fill('#find', '/model/layers.7/mlp/op3');
  await b.page.locator('#find').press('Enter');
  await painted(b.page);
  is('what is found is opened', /layers\.7\/mlp/.test(await text('panel')) && (await seen()) > 402, await seen());
  await b.page.evaluate(() => document.getElementById('graph').focus());
  await b.page.keyboard.press('g');
  is('a key folds the group of what is picked', /folded .*layers\.7\/mlp/.test(await text('said')), await text('said'));
  await b.page.selectOption('#overlay', 'support chromium');
  const call = await b.page.evaluate(() => { viewer.show(4); return document.getElementById('panel').textContent; });
  is('the panel says what a target makes of an operator', /chromium: refused/.test(call), call);
  const report = { schema: 'onnx2webnn.validate', result: 'failed', runs: [{ outputs: [{ name: 'n19999', graphName: 'n19999', result: 'failed', maxNormalized: 3 }] }] };
  await b.page.evaluate((r) => viewer.takeReport(r, 'report.json'), report);
  is('a report of a validation is shown', /failed, 1 results/.test(await text('said')), await text('said'));
  const found = await serious(b.page);
  if (found !== undefined) is('accessible with groups', !found, found);
  is('its console is empty as well', !b.messages[0], b.messages[0]);
}

/** Sizes that are given on the page; types that the browser only moves. */
async function open(tally, b, folder) {
  b.messages.length = 0;
  await b.page.goto(pathToFileURL(path.join(folder, 'open.html')).href);
  await b.page.waitForFunction(ready);
  await b.page.fill('#dim0', '3');
  const status = await run(b.page);
  const text = await b.page.textContent('#outputs');
  tally.judge('open sizes are given on the page', /first run/.test(status) && /s float32 \[4, 3\]/.test(text) ? undefined : `${status} ${text}`);
  tally.judge('uint64 is shown in full', /18446744073709551614 18446744073709551615 18446744073709551614/.test(text) ? undefined : text);
  tally.judge('4-bit numbers are shown one by one', /-2 -3 -2/.test(text) ? undefined : text);
  tally.judge('no message with open sizes', b.messages[0]);
}

async function pictures(tool, out) {
  const folder = temporary();
  const model = path.join(root, '.deps/models/silero_vad_ifless.onnx');
  execFileSync(tool, ['emit', 'html', model, '-o', path.join(folder, 'page.html'), '--weight-data', 'inline', '-q', '--override-dim', 'batch=1', '--override-dim', 'sequence=576', '--pin-input', 'sr=16000']);
  const b = await browser({ viewport: { width: 1200, height: 800 } });
  for (const scheme of ['light', 'dark']) {
    await b.page.emulateMedia({ colorScheme: scheme });
    await b.page.goto(pathToFileURL(path.join(folder, 'page.html')).href);
    await run(b.page);
    await b.page.evaluate(() => { document.getElementById('status').textContent = 'built in … ms, first run … ms'; });
    await b.page.screenshot({ path: path.join(out, `runner-${scheme}.png`) });
    await b.page.evaluate(() => viewer.show(9));
    await b.page.locator('h2', { hasText: 'Graph' }).scrollIntoViewIfNeeded();
    await b.page.evaluate(() => scrollTo(0, document.querySelector('.view').getBoundingClientRect().top + scrollY - 130));
    await b.page.waitForTimeout(300);
    await b.page.screenshot({ path: path.join(out, `viewer-${scheme}.png`) });
  }
  await b.close();
  fs.rmSync(folder, { recursive: true });
}

await main(async ([tool, option, out]) => {
  if (option === '--pictures') return pictures(tool, out);
  const folder = temporary();
  const tally = new Tally();
  writeGraph(folder);
  writeBig(folder, 20000);
  writeLayers(folder);
  fs.writeFileSync(path.join(folder, 'open.webnn'), `webnn_graph "open" v2 @quantized {
  inputs { x: f32[dyn("n", 8), 3]; y: f32[dyn("m", 8), 3]; u: u64[dyn("n", 8)]; q: i4[3]; }
  consts { two: u64[] @scalar(2); one: f32[1] @scalar(1.0); zero: i4[1] @bytes([15]); }
  nodes { c = concat(x, y, axis=0); s = softmax(c, axis=1); v = sub(u, two); d = dequantizeLinear(q, one, zero); e = neg(d); r = quantizeLinear(e, one, zero); }
  outputs { s, v, r }
}
`);
  const emit = (graph, page, ...more) => execFileSync(tool, ['emit', 'html', path.join(folder, graph), '-q', '-o', path.join(folder, page), ...more]);
  emit('small.webnn', 'inline.html', '--weight-data', 'inline');
  emit('small.webnn', 'external.html');
  emit('big.webnn', 'big.html', '--target', 'none');
  emit('layers.webnn', 'layers.html', '--target', 'none');
  emit('open.webnn', 'open.html');
  const b = await browser({ viewport: { width: 1280, height: 900 } });
  await asFile(tally, b, folder);
  await feeding(tally, b, folder);
  await looking(tally, b);
  await served(tally, b, tool, folder);
  await big(tally, b, folder);
  await layered(tally, b, folder);
  await open(tally, b, folder);
  await b.close();
  fs.rmSync(folder, { recursive: true });
  tally.finish();
});
