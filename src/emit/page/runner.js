
// ---- the page: pick inputs, run, see outputs ----
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, props = {}) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, props);
  const openDims = typeof dims === 'undefined' ? [] : dims;
  const external = typeof archive !== 'undefined' && archive instanceof URL;
  const hasWeights = typeof weightTable !== 'undefined';
  const inline = hasWeights && typeof archive === 'object' && !external;
  const sizes = Object.create(null);
  const feeds = Object.create(null);
  let context;
  let graph;
  let weightFile;

  const say = (text, kind = '') => Object.assign($('status'), { textContent: text, className: kind });
  const numbers = (port) => port.shape.map((d) => (typeof d === 'object' ? sizeOfDim(d.name) : d));
  const elements = (shape) => shape.reduce((a, b) => a * b, 1);

  /** An input's dim is a name; an output's may be an expression that is known after the build only. */
  function sizeOfDim(name) {
    return sizes[name];
  }

  // ---- files ----

  const npyTypes = { '<f4': 'float32', '<f2': 'float16', '<i4': 'int32', '<u4': 'uint32', '<i8': 'int64', '<u8': 'uint64', '|i1': 'int8', '|u1': 'uint8', '|b1': 'uint8' };

  function readNpy(buffer) {
    const bytes = new Uint8Array(buffer);
    if (String.fromCharCode(...bytes.subarray(1, 6)) !== 'NUMPY') throw new Error('not an npy file');
    const data = new DataView(buffer);
    const wide = bytes[6] >= 2;
    const length = wide ? data.getUint32(8, true) : data.getUint16(8, true);
    const begin = (wide ? 12 : 10) + length;
    const head = new TextDecoder('latin1').decode(bytes.subarray(begin - length, begin));
    const type = npyTypes[/'descr':\s*'([^']+)'/.exec(head)?.[1]];
    if (!type || /'fortran_order':\s*True/.test(head)) throw new Error(`this npy form cannot be read: ${head.trim()}`);
    const shape = [.../'shape':\s*\(([^)]*)\)/.exec(head)[1].matchAll(/\d+/g)].map((m) => Number(m[0]));
    return { dataType: type, shape, bytes: buffer.slice(begin) };
  }

  function readSafetensors(buffer, port) {
    const { name } = port;
    const length = Number(new DataView(buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
    const keys = Object.keys(header).filter((k) => k !== '__metadata__');
    const key = keys.includes(name) ? name : keys.length === 1 ? keys[0] : undefined;
    if (key === undefined) throw new Error(`the archive has no '${name}' (${keys.slice(0, 5).join(', ')})`);
    const { dtype, shape, data_offsets: [begin, end] } = header[key];
    const bytes = buffer.slice(8 + length + begin, 8 + length + end);
    if (port.dataType.endsWith('int4') && dtype === 'U8' && header.__metadata__?.['rustnn.webnn.packed4'] === '1')
      return { dataType: port.dataType, shape: bytes.byteLength === shape[0] ? numbers(port) : shape, bytes };
    const types = { F32: 'float32', F16: 'float16', I32: 'int32', U32: 'uint32', I64: 'int64', U64: 'uint64', I8: 'int8', U8: 'uint8', BOOL: 'uint8' };
    return { dataType: types[dtype], shape, bytes };
  }

  /** Where height, width and channels stand in an input that a picture can be; undefined: it cannot. */
  function pictureOf(port) {
    const shape = numbers(port);
    if (shape.length !== 4 || shape[0] !== 1 || !['float32', 'uint8'].includes(port.dataType)) return undefined;
    if ([1, 3].includes(shape[1])) return { channels: shape[1], height: shape[2], width: shape[3], last: false };
    if ([1, 3].includes(shape[3])) return { channels: shape[3], height: shape[1], width: shape[2], last: true };
    return undefined;
  }

  async function readPicture(file, port, mean, deviation) {
    const { channels, height, width, last } = pictureOf(port);
    const bitmap = await createImageBitmap(file);
    const canvas = make('canvas', undefined, { width, height });
    const paint = canvas.getContext('2d', { willReadFrequently: true });
    paint.drawImage(bitmap, 0, 0, width, height);
    const pixels = paint.getImageData(0, 0, width, height).data;
    const out = new arrays[port.dataType][0](channels * height * width);
    for (let i = 0; i < height * width; i++) {
      const rgb = pixels.subarray(4 * i, 4 * i + 3);
      const values = channels === 3 ? rgb : [0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]];
      for (let c = 0; c < channels; c++) {
        const v = port.dataType === 'uint8' ? Math.round(values[c]) : (values[c] / 255 - mean) / deviation;
        out[last ? i * channels + c : c * height * width + i] = v;
      }
    }
    return { dataType: port.dataType, shape: numbers(port), bytes: out.buffer };
  }

  // ---- inputs ----

  function filled(port, how) {
    const shape = numbers(port);
    const type = arrays[port.dataType][0];
    if (port.dataType.endsWith('int4'))
      return Uint8Array.from({ length: Math.ceil(elements(shape) / 2) }, (_, i) => (how === 'zeros' || 2 * i + 1 === elements(shape) ? 0 : 16));
    const data = new type(elements(shape));
    if (how === 'zeros') return data;
    const float = port.dataType.startsWith('float');
    const half = port.dataType === 'float16' && type === Uint16Array;
    for (let i = 0; i < data.length; i++) {
      const v = float ? ((i * 7) % 17) / 16 - 0.5 : i % 2;
      data[i] = half ? 0 : typeof data[0] === 'bigint' ? BigInt(v) : v;
    }
    return data;
  }

  /** Equal but for dims of 1. */
  function sameShape(a, b) {
    const long = (shape) => shape.filter((d) => d !== 1).join();
    return long(a) === long(b);
  }

  async function takeFile(port, file, fields) {
    try {
      const picture = file.type.startsWith('image/');
      if (picture && !pictureOf(port)) throw new Error('this input is no picture');
      const read = picture
        ? await readPicture(file, port, Number(fields.mean.value), Number(fields.deviation.value))
        : file.name.endsWith('.npy') ? readNpy(await file.arrayBuffer()) : readSafetensors(await file.arrayBuffer(), port);
      if (read.dataType !== port.dataType) throw new Error(`it holds ${read.dataType}, the input is ${port.dataType}`);
      const wanted = numbers(port);
      if (!sameShape(read.shape, wanted)) throw new Error(`it holds [${read.shape.join(', ')}], the input is [${wanted.join(', ')}]`);
      fields.taken = { from: 'file', data: read.bytes };
      fields.picture = picture ? file : undefined;
      note(fields, `${file.name}: ${read.dataType} [${read.shape.join(', ')}]`, 'good');
    } catch (error) {
      fields.taken = fields.picture = undefined;
      note(fields, `${file.name}: ${error.message}`, 'bad');
    }
    fields.how.value = 'file';
    feeds[port.name] = fields.taken ?? { from: 'nowhere' };
  }

  const note = (fields, text, kind) => Object.assign(fields.note, { textContent: text, className: kind });

  /** What is done to a picture, in words, with the numbers that can be set. */
  function pictureRow(port, mean, deviation) {
    const row = make('div', undefined, { className: 'row' });
    const dim = (text) => make('span', text, { className: 'dim' });
    row.append(dim('A picture is scaled to the input; red, green, blue or grey;'));
    if (port.dataType === 'uint8') row.append(dim('values of 0 to 255.'));
    else row.append(dim('(value / 255 −'), make('label', 'mean', { htmlFor: mean.id }), mean, dim(') /'), make('label', 'deviation', { htmlFor: deviation.id }), deviation);
    return row;
  }

  function inputCard(port, index) {
    const card = make('section', undefined, { className: 'card' });
    const id = `input${index}`;
    const how = make('select', undefined, { id: `${id}how` });
    for (const [value, text] of [['pattern', 'a fixed pattern'], ['zeros', 'zeros'], ['file', 'a file']]) how.append(make('option', text, { value }));
    const file = make('input', undefined, { type: 'file', id: `${id}file`, accept: '.npy,.safetensors,image/*' });
    const mean = make('input', undefined, { type: 'number', step: 'any', value: 0, id: `${id}mean` });
    const deviation = make('input', undefined, { type: 'number', step: 'any', value: 1, id: `${id}deviation` });
    const fields = { how, mean, deviation, note: make('p', '', { className: 'dim', role: 'status' }) };
    const title = make('h3');
    title.append(make('code', port.name), ' ', make('span', `${port.dataType} [${port.shape.map((d) => d.name ?? d).join(', ')}]`, { className: 'dim' }));
    const row = make('div', undefined, { className: 'row' });
    row.append(make('label', 'values', { htmlFor: how.id }), how, make('label', 'file (npy, safetensors, picture)', { htmlFor: file.id }), file);
    card.append(title, row);
    const may = port.shape.length === 4 && port.shape.some((d) => d.name) && ['float32', 'uint8'].includes(port.dataType);
    if (may || pictureOf(port)) card.append(pictureRow(port, mean, deviation));
    card.append(fields.note);
    file.addEventListener('change', () => file.files[0] && takeFile(port, file.files[0], fields));
    for (const number of [mean, deviation])
      number.addEventListener('change', () => fields.picture && takeFile(port, fields.picture, fields));
    card.addEventListener('dragover', (e) => { e.preventDefault(); card.classList.add('drop'); });
    card.addEventListener('dragleave', () => card.classList.remove('drop'));
    card.addEventListener('drop', (e) => {
      e.preventDefault();
      card.classList.remove('drop');
      if (e.dataTransfer.files[0]) takeFile(port, e.dataTransfer.files[0], fields);
    });
    feeds[port.name] = { from: 'pattern' };
    how.addEventListener('change', () => {
      feeds[port.name] = how.value === 'file' ? (fields.taken ?? { from: 'nowhere' }) : { from: how.value };
    });
    return card;
  }

  function dataOf(port) {
    const feed = feeds[port.name];
    if (feed.from === 'nowhere') throw new Error(`input '${port.name}': pick a file that fits, or other values`);
    if (feed.from === 'file') return feed.data;
    return filled(port, feed.from);
  }

  // ---- running ----

  function showProgress({ stage, loaded, total }) {
    $('progress').hidden = false;
    if (stage === 'weights') Object.assign($('progress'), { max: total || 1, value: loaded });
    say(stage === 'weights' ? `reading weights: ${Math.round((100 * loaded) / (total || 1))} %` : 'the browser builds the graph …');
  }

  function source() {
    if (!hasWeights || inline) return undefined;
    if (weightFile) return weightFile;
    if (external && location.protocol !== 'file:') return archive;
    throw new Error('pick the weights first: a page that was opened as a file may not read the archive beside it');
  }

  async function prepare() {
    context ??= await createContext();
    const begun = performance.now();
    const from = source();
    const weights = from === undefined ? await load() : await load(from);
    graph = await build(context, weights, { onProgress: showProgress, dims: { ...sizes } });
    return performance.now() - begun;
  }

  async function go() {
    const button = $('run');
    button.disabled = true;
    $('outputs').replaceChildren();
    try {
      const buildMs = graph ? undefined : await prepare();
      const given = Object.fromEntries(inputs.map((port) => [port.name, dataOf(port)]));
      const times = [];
      let results;
      for (let i = 0; i < Math.max(1, Number($('repeat').value)); i++) {
        say(`running … ${i + 1}`);
        const begun = performance.now();
        results = await run(context, graph, given);
        times.push(performance.now() - begun);
      }
      const sorted = [...times].sort((a, b) => a - b);
      const built = buildMs === undefined ? '' : `built in ${buildMs.toFixed(1)} ms, `;
      const median = times.length > 1 ? `, median of ${times.length}: ${sorted[times.length >> 1].toFixed(2)} ms` : '';
      say(`${built}first run ${times[0].toFixed(2)} ms${median}`, 'good');
      for (const port of outputs) $('outputs').append(outputCard(port, results[port.name]));
    } catch (error) {
      graph = undefined;
      say(error.message, 'bad');
    }
    $('progress').hidden = true;
    button.disabled = false;
  }

  // ---- outputs ----

  function halves(data) {
    if (!(data instanceof Uint16Array)) return data;
    return Array.from(data, (b) => {
      const e = (b >> 10) & 31;
      const f = b & 1023;
      const v = e === 31 ? (f ? NaN : Infinity) : e ? 2 ** (e - 15) * (1 + f / 1024) : 2 ** -24 * f;
      return b & 0x8000 ? -v : v;
    });
  }

  function nibbles(data, port, shape) {
    const sign = port.dataType === 'int4' ? 8 : 16;
    return Array.from({ length: elements(shape) }, (_, i) => {
      const half = (data[i >> 1] >> (4 * (i & 1))) & 15;
      return half < sign ? half : half - 16;
    });
  }

  /** As short as it reads back in the output's own type. */
  function short(v, dataType) {
    if (dataType !== 'float32' && dataType !== 'float16') return String(v);
    for (let digits = 3; digits < 9; digits++) {
      const text = Number(v.toPrecision(digits));
      if (Math.fround(text) === Math.fround(v)) return String(text);
    }
    return String(v);
  }

  function summary(data) {
    let min = data[0] ?? NaN;
    let max = min;
    let sum = 0;
    for (const v of data) {
      if (v < min || min !== min) min = v;
      if (v > max || max !== max) max = v;
      sum += Number(v);
    }
    return { min, max, mean: sum / data.length };
  }

  function npyOf(port, shape, data) {
    const types = { float32: '<f4', float16: '<f2', int32: '<i4', uint32: '<u4', int64: '<i8', uint64: '<u8', int8: '|i1', uint8: '|u1' };
    let head = `{'descr': '${types[port.dataType]}', 'fortran_order': False, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
    head += `${' '.repeat(63 - ((10 + head.length) % 64))}\n`;
    const start = new Uint8Array(10);
    start.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length & 255, head.length >> 8]);
    return new Blob([start, head, data]);
  }

  function greyPicture(values, width, height, { min, max }) {
    const canvas = make('canvas', undefined, { width, height, className: 'image' });
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'the output as a picture, black is the least value');
    const paint = canvas.getContext('2d');
    const image = paint.createImageData(width, height);
    for (let i = 0; i < width * height; i++) {
      const v = (255 * (Number(values[i]) - Number(min))) / (Number(max) - Number(min) || 1);
      image.data.set([v, v, v, 255], 4 * i);
    }
    paint.putImageData(image, 0, 0);
    return canvas;
  }

  function outputCard(port, data) {
    const card = make('section', undefined, { className: 'card' });
    const shape = graphShape(port.name);
    const values = port.dataType.endsWith('int4') ? nibbles(data, port, shape) : halves(data);
    const s = summary(values);
    const title = make('h3');
    title.append(make('code', port.name), ' ', make('span', `${port.dataType} [${shape.join(', ')}]`, { className: 'dim' }));
    const text = (v) => short(v, port.dataType);
    card.append(title, make('p', `min ${text(s.min)}, max ${text(s.max)}, mean ${Number(s.mean.toPrecision(6))}`));
    card.append(make('pre', `${Array.from(values.slice(0, 32), text).join(' ')}${values.length > 32 ? ' …' : ''}`));
    const top = Array.from({ length: values.length }, (_, i) => i);
    if (values.length > 1 && values.length <= 100000) {
      top.sort((a, b) => (values[b] > values[a]) - (values[b] < values[a]) || a - b);
      card.append(make('p', `greatest: ${top.slice(0, 5).map((i) => `[${i}]${port.labels?.[i] === undefined ? '' : ` ${port.labels[i]}`} ${text(values[i])}`).join(', ')}`, { className: 'dim' }));
    }
    const [h, w] = shape.slice(-2);
    if (shape.length >= 2 && h > 7 && w > 7 && elements(shape) === h * w && h * w <= 1 << 24) card.append(greyPicture(values, w, h, s));
    const button = make('button', 'Save as npy', { type: 'button' });
    button.addEventListener('click', () => {
      const a = make('a', '', { href: URL.createObjectURL(npyOf(port, shape, data)), download: `${port.name.replace(/[/\\%]/g, '_')}.npy` });
      a.click();
    });
    if (!port.dataType.endsWith('int4')) card.append(button);
    return card;
  }

  const graphShape = (name) => [...states.get(graph).results[name].shape];

  // ---- start ----

  function dimFields() {
    for (const [i, dim] of openDims.entries()) {
      const field = make('input', undefined, { type: 'number', min: dim.min, max: dim.max, value: dim.min, id: `dim${i}` });
      sizes[dim.name] = dim.min;
      field.addEventListener('change', () => {
        sizes[dim.name] = Number(field.value);
        graph = undefined;
      });
      const row = make('div', undefined, { className: 'row' });
      row.append(make('label', `${dim.name} (${dim.min} to ${dim.max})`, { htmlFor: field.id }), field);
      $('dimfields').append(row);
    }
  }

  function start() {
    dimFields();
    inputs.forEach((port, i) => $('inputs').append(inputCard(port, i)));
    $('run').addEventListener('click', go);
    const needs = hasWeights && !inline && !(external && location.protocol !== 'file:');
    $('weights').hidden = !needs;
    $('weightfile').addEventListener('change', () => {
      weightFile = $('weightfile').files[0];
      graph = undefined;
    });
    if (!globalThis.isSecureContext) say('WebNN needs a secure page: https, or http on localhost', 'bad');
    else if (!globalThis.navigator.ml) say('This browser has no WebNN (navigator.ml). The graph below can be looked at; to run it, use a browser with WebNN, or switch on its flag.', 'bad');
    else say('ready');
    $('run').disabled = !globalThis.navigator.ml;
  }
  start();
})();
