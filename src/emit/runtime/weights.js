
// ---- weights ----

const run64 = 64 * 1024 * 1024;
const elementTypes = {
  float32: ['F32'], float16: ['F16'], int32: ['I32'], uint32: ['U32'], int64: ['I64'],
  uint64: ['U64'], int8: ['I8'], uint8: ['U8', 'BOOL'], int4: ['U8'], uint4: ['U8'],
};

/** Bytes of memory. */
function fromBuffer(buffer) {
  const bytes = new Uint8Array(buffer);
  return { read: async (begin, end) => bytes.subarray(begin, end), total: bytes.length };
}

function fromBlob(blob) {
  const read = async (begin, end) => new Uint8Array(await blob.slice(begin, end).arrayBuffer());
  return { read, total: blob.size };
}

/** A server that gives ranges. */
function fromRanges(url, total) {
  return {
    total,
    async read(begin, end) {
      if (begin === end) return new Uint8Array();
      const response = await fetch(url, { headers: { Range: `bytes=${begin}-${end - 1}` } });
      const range = response.headers.get('Content-Range') ?? '';
      if (response.status !== 206 || !range.startsWith(`bytes ${begin}-${end - 1}/`))
        throw new Error(`${url}: asked for bytes ${begin}-${end - 1}, got ${response.status} ${range}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

/** A server that gives all at once: read in order, skipping what isn't asked for; again from the
 * start for what was passed already. */
function fromStream(url, first) {
  let reader = first.body.getReader();
  let position = 0;
  let rest = new Uint8Array();
  async function take(count, to) {
    for (let done = 0; done < count; ) {
      if (!rest.length) {
        const { value, done: ended } = await reader.read();
        if (ended) throw new Error(`${url}: ends at byte ${position}`);
        rest = value;
      }
      const part = rest.subarray(0, count - done);
      to?.set(part, done);
      rest = rest.subarray(part.length);
      done += part.length;
      position += part.length;
    }
  }
  return {
    total: Number(first.headers.get('Content-Length')) || undefined,
    async read(begin, end) {
      if (begin < position) {
        await reader.cancel();
        reader = (await fetched(url)).body.getReader();
        position = 0;
        rest = new Uint8Array();
      }
      await take(begin - position);
      const bytes = new Uint8Array(end - begin);
      await take(end - begin, bytes);
      return bytes;
    },
  };
}

async function fetched(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response;
}

async function fromUrl(url) {
  const response = await fetched(url, { headers: { Range: 'bytes=0-7' } });
  const range = /^bytes 0-7\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '');
  if (response.status !== 206) return fromStream(url, response);
  await response.body?.cancel();
  if (!range) throw new Error(`${url}: answers a range without its place`);
  return fromRanges(url, Number(range[1]));
}

/** The whole archive in the browser's cache, under its address and ETag. */
async function fromCache(url) {
  const { headers } = await fetched(url, { method: 'HEAD' });
  const cache = await caches.open('onnx2webnn');
  const key = new URL(url, globalThis.location?.href);
  key.searchParams.set('etag', headers.get('ETag') ?? headers.get('Last-Modified') ?? '');
  if (!(await cache.match(key))) await cache.put(key, await fetched(url));
  return fromBlob(await (await cache.match(key)).blob());
}

async function open(source, cache) {
  if (source instanceof ArrayBuffer) return fromBuffer(source);
  if (ArrayBuffer.isView(source))
    return fromBuffer(source.buffer.slice(source.byteOffset, source.byteOffset + source.byteLength));
  if (typeof Blob !== 'undefined' && source instanceof Blob) return fromBlob(source);
  if (typeof source !== 'string' && !(source instanceof URL))
    throw new TypeError('weights come from a URL, a Blob or File, or an ArrayBuffer');
  if (cache !== undefined && cache !== false && cache !== 'caches')
    throw new TypeError(`cache must be false or 'caches', found ${String(cache)}`);
  return cache === 'caches' ? fromCache(String(source)) : fromUrl(String(source));
}

async function readHeader({ read, total }) {
  const head = await read(0, 8);
  if (head.length !== 8) throw new Error('the weights are no safetensors archive: too short');
  const length = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(0, true));
  if (length > 100_000_000 || (total !== undefined && 8 + length > total))
    throw new Error(`the weights are no safetensors archive: header of ${length} bytes`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await read(8, 8 + length));
  return { header: JSON.parse(text), data: 8 + length };
}

/** Where a constant lies, after everything about it was compared with the graph. */
function place([key, dataType, shape], header, data, total) {
  const entry = Object.hasOwn(header, key) ? header[key] : undefined;
  const is4 = dataType === 'int4' || dataType === 'uint4';
  const size = byteLength({ dataType, shape });
  const stored = is4 ? [size] : shape;
  if (!entry) throw new Error(`the weights have no '${key}'`);
  if (!elementTypes[dataType].includes(entry.dtype) || String(entry.shape) !== String(stored))
    throw new Error(
      `weight '${key}' is ${entry.dtype} [${entry.shape}], must be ` +
        `${elementTypes[dataType][0]} [${stored}]`,
    );
  if (is4 && header.__metadata__?.['rustnn.webnn.packed4'] !== '1')
    throw new Error(`weight '${key}' is packed, but the archive isn't marked so`);
  const [begin, end] = entry.data_offsets;
  if (end - begin !== size || begin < 0 || (total !== undefined && data + end > total))
    throw new Error(`weight '${key}' lies outside the archive`);
  return { key, dataType, shape, begin: data + begin, end: data + end };
}

/**
 * Opens the weights and compares their table with the graph; build() reads the bytes, run by run.
 * @param {string|URL|Blob|ArrayBuffer|ArrayBufferView} [source]
 * @param {{cache?: false|'caches'}} [options]
 */
export async function load(source = archive, { cache } = {}) {
  if (source === undefined) throw new TypeError('load() needs the address of the weights');
  const file = await open(source, cache);
  const { header, data } = await readHeader(file);
  const places = weightTable.map((row) => place(row, header, data, file.total));
  places.sort((a, b) => a.begin - b.begin || a.end - b.end);
  return { places, read: file.read, bytes: places.reduce((n, p) => n + p.end - p.begin, 0) };
}

/** Neighbours together, at most 64 MiB unless one alone is larger. */
function runsOf(places) {
  const runs = [];
  for (const p of places) {
    const last = runs.at(-1);
    if (last && p.begin - last.end <= 4096 && Math.max(p.end, last.end) - last.begin <= run64) {
      last.end = Math.max(last.end, p.end);
      last.places.push(p);
    } else runs.push({ begin: p.begin, end: p.end, places: [p] });
  }
  return runs;
}

/** All constants by key. The next run is read while one is handed over, and no run is kept. */
async function constants(builder, weights, onProgress) {
  const runs = runsOf(weights.places);
  const made = Object.create(null);
  let loaded = 0;
  const start = (index) => {
    const promise = runs[index] && weights.read(runs[index].begin, runs[index].end);
    promise?.catch(() => {});
    return promise;
  };
  let next = start(0);
  for (let i = 0; i < runs.length; i++) {
    const bytes = await next;
    next = start(i + 1);
    if (bytes.length !== runs[i].end - runs[i].begin)
      throw new Error(`the weights end early: ${bytes.length} bytes at ${runs[i].begin}`);
    for (const { key, dataType, shape, begin, end } of runs[i].places)
      made[key] = builder.constant(
        { dataType, shape },
        bytes.subarray(begin - runs[i].begin, end - runs[i].begin),
      );
    loaded += bytes.length;
    onProgress?.({ stage: 'weights', loaded: Math.min(loaded, weights.bytes), total: weights.bytes });
  }
  return made;
}
