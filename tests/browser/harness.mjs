// A browser with WebNN, a server for it, and how tests report. Browser and driver come from tools/setup browser.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
export const root = path.resolve(here, '../..');
const folder = path.join(root, '.deps/browser');
const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--enable-features=WebMachineLearningNeuralNetwork',
];

/** Why there is no browser here; undefined: there is one. */
export function missing() {
  for (const part of ['chromium', 'node_modules/playwright-core'])
    if (!fs.existsSync(path.join(folder, part))) return `no browser: tools/setup browser fetches it`;
  return undefined;
}

const types = {
  '.html': 'text/html; charset=utf-8', '.mjs': 'text/javascript', '.js': 'text/javascript',
  '.json': 'application/json', '.safetensors': 'application/octet-stream',
};

function sendFile(file, request, response, ranges) {
  const size = fs.statSync(file).size;
  const range = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const begin = range ? Number(range[1]) : 0;
  const end = range ? Math.min(Number(range[2]), size - 1) : size - 1;
  const head = { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' };
  head['content-length'] = end - begin + 1;
  if (range) head['content-range'] = `bytes ${begin}-${end}/${size}`;
  response.writeHead(range ? 206 : 200, head);
  if (size) fs.createReadStream(file, { start: begin, end }).pipe(response);
  else response.end();
}

/** Serves folders by their first path component; `/` is an empty page. */
export async function serve(folders, { ranges = true } = {}) {
  const server = http.createServer((request, response) => {
    const [, first, ...rest] = decodeURIComponent(new URL(request.url, 'http://x').pathname).split('/');
    const file = folders[first] && path.join(folders[first], ...rest);
    if (file && !rest.includes('..') && fs.existsSync(file)) return sendFile(file, request, response, ranges);
    response.writeHead(first ? 404 : 200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>test</title>');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A page in a new browser; `messages` has what its console and its errors said, `requests` what it asked for. */
export async function browser({ viewport } = {}) {
  const { chromium } = createRequire(path.join(folder, 'x.js'))('playwright-core');
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'o2w-browser-'));
  const fonts = path.join(profile, 'fonts.conf');
  fs.writeFileSync(fonts, `<?xml version="1.0"?><fontconfig><dir>${path.join(folder, 'fonts')}</dir>` +
    `<cachedir>${path.join(profile, 'fonts')}</cachedir></fontconfig>`);
  const libraries = [path.join(folder, 'lib'), folder, process.env.LD_LIBRARY_PATH].filter(Boolean);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: path.join(folder, 'chromium'), headless: true, args: flags, viewport,
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':'), FONTCONFIG_FILE: fonts },
  });
  const page = await context.newPage();
  const messages = [];
  const requests = [];
  page.on('console', (m) => messages.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => messages.push(`error: ${e.message}`));
  page.on('request', (r) => requests.push(r.url()));
  const close = async () => {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  };
  return { context, page, messages, requests, close };
}

export function temporary() {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'o2w-emit-'));
}

/** Counts cases; expected failures (lines `NAME: REASON`) must fail, all others must pass. */
export class Tally {
  constructor(expectedFile) {
    this.counts = { passed: 0, failed: 0, skipped: 0 };
    this.expected = new Map();
    for (const line of expectedFile ? fs.readFileSync(expectedFile, 'utf8').split('\n') : []) {
      const [name, reason] = line.split('\t');
      if (reason) this.expected.set(name, reason);
    }
  }
  judge(name, why) {
    const reason = this.expected.get(name);
    this.expected.delete(name);
    if (!why === !reason) this.counts.passed++;
    else {
      this.counts.failed++;
      console.log(why ? `FAIL ${name}: ${why}` : `FAIL ${name}: passes, but a failure is expected (${reason})`);
    }
  }
  skip(name, reason) {
    this.counts.skipped++;
    console.log(`SKIP ${name}: ${reason}`);
  }
  finish() {
    for (const [name] of this.expected) this.judge(name, undefined);
    const { passed, failed, skipped } = this.counts;
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    process.exitCode = failed ? 1 : 0;
  }
}

/** Runs a test; without a browser it is skipped. */
export async function main(test) {
  const reason = missing();
  if (reason) {
    console.log(`SKIP ${path.basename(process.argv[1])}: ${reason}`);
    console.log('0 passed, 0 failed, 1 skipped');
    return;
  }
  await test(process.argv.slice(2));
}
