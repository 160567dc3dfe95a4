// The graph as a picture: pan, zoom, search, a panel for one node, and all nodes as a table.
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, props = {}) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, props);
  const canvas = $('graph');
  const map = $('map');
  const paint = canvas.getContext('2d');
  const height = 36;
  const pageRows = 25;
  let view;
  let byRow;
  let scale = 1;
  let left = 0;
  let top = 0;
  let picked = -1;
  let matches = [];
  let match = -1;
  let overlay = 'kind';
  let page = 0;
  let waiting = false;
  let colors = {};

  const shapeText = (operand) =>
    `${operand.dataType} [${operand.shape.map((d) => (typeof d === 'object' ? d.name : d)).join(', ')}]`;

  // ---- data ----

  function open(data) {
    if (data?.format !== 'onnx2webnn-view') throw new Error('no graph of this viewer');
    view = data;
    const rows = Math.max(1, ...view.nodes.map((n) => Math.round(n.y / 64) + 1));
    byRow = Array.from({ length: rows }, () => []);
    view.nodes.forEach((n, i) => {
      n.edges = [];
      byRow[Math.round((n.y - 20) / 64)].push(i);
    });
    byRow.forEach((row) => row.sort((a, b) => view.nodes[a].x - view.nodes[b].x));
    view.long = [];
    view.edges.forEach(([from, to], i) => {
      const span = Math.round((view.nodes[to].y - view.nodes[from].y) / 64);
      if (span > 12) view.long.push(i);
      else view.nodes[from].edges.push(i);
    });
    view.users = view.operands.map(() => []);
    view.makers = view.operands.map(() => -1);
    view.nodes.forEach((n, i) => {
      n.in.forEach((o) => view.users[o].push(i));
      n.out.forEach((o) => (view.makers[o] = i));
    });
    picked = match = -1;
    matches = [];
    page = 0;
    $('count').textContent = `${view.nodes.length} nodes, ${view.edges.length} edges`;
    home();
    drawMap();
    showPanel();
    showTable();
  }

  // ---- drawing ----

  function readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['paper', 'panel', 'ink', 'dim', 'node', 'node-line', 'port', 'port-line', 'weighted', 'weighted-line', 'edge', 'match', 'picked', 'accent'])
      colors[name] = style.getPropertyValue(`--${name}`).trim();
  }

  const hues = { float32: 210, float16: 265, int32: 30, uint32: 45, int64: 15, uint64: 0, int8: 150, uint8: 170, int4: 110, uint4: 90 };

  /** Fill and line of a node under the overlay. */
  function look(n) {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    const tint = (hue, strength) => [`hsl(${hue} 60% ${dark ? 16 + 14 * strength : 97 - 22 * strength}%)`, `hsl(${hue} 50% ${dark ? 62 : 38}%)`];
    if (overlay === 'type') return tint(hues[view.operands[n.out[0] ?? n.in[0]]?.dataType] ?? 0, 0.6);
    if (overlay === 'bytes') return tint(265, n.bytes ? Math.min(1, Math.log2(1 + n.bytes) / 26) : 0);
    const kind = n.kind !== 'operator' ? 'port' : n.bytes ? 'weighted' : 'node';
    return [colors[kind], colors[`${kind}-line`]];
  }

  function drawEdge(index, to) {
    const [from, target] = view.edges[index];
    const a = view.nodes[from];
    const b = view.nodes[target];
    const x1 = a.x + a.w / 2;
    const y1 = a.y + height;
    const x2 = b.x + b.w / 2;
    const half = (b.y - y1) / 2;
    to.moveTo(x1, y1);
    to.bezierCurveTo(x1, y1 + half, x2, b.y - half, x2, b.y);
  }

  function visible() {
    const rect = { x: left, y: top, r: left + canvas.clientWidth / scale, b: top + canvas.clientHeight / scale };
    const found = [];
    const first = Math.max(0, Math.floor((rect.y - 20) / 64) - 1);
    const last = Math.min(byRow.length - 1, Math.ceil((rect.b - 20) / 64));
    for (let r = first; r <= last; r++)
      for (const i of byRow[r]) {
        const n = view.nodes[i];
        if (n.x + n.w >= rect.x && n.x <= rect.r) found.push(i);
      }
    return { found, rect, first: Math.max(0, first - 12), last };
  }

  function drawNodes(found) {
    const groups = new Map();
    for (const i of found) {
      const [fill, line] = look(view.nodes[i]);
      const key = fill + line;
      if (!groups.has(key)) groups.set(key, { fill, line, nodes: [] });
      groups.get(key).nodes.push(view.nodes[i]);
    }
    for (const { fill, line, nodes } of groups.values()) {
      paint.beginPath();
      for (const n of nodes) scale > 0.25 ? paint.roundRect(n.x, n.y, n.w, height, 6) : paint.rect(n.x, n.y, n.w, height);
      paint.fillStyle = fill;
      paint.fill();
      paint.strokeStyle = line;
      paint.stroke();
    }
    if (scale < 0.35) return;
    paint.fillStyle = colors.ink;
    paint.font = '13px system-ui, sans-serif';
    paint.textAlign = 'center';
    for (const i of found) {
      const n = view.nodes[i];
      paint.fillText(n.text, n.x + n.w / 2, n.y + 23);
    }
  }

  function ring(i, color) {
    const n = view.nodes[i];
    if (!n) return;
    paint.strokeStyle = color;
    paint.lineWidth = Math.max(3, 3 / scale);
    paint.strokeRect(n.x - 4, n.y - 4, n.w + 8, height + 8);
    paint.lineWidth = Math.max(1, 0.7 / scale);
  }

  function draw() {
    waiting = false;
    const begun = performance.now();
    const ratio = devicePixelRatio || 1;
    const w = Math.round(canvas.clientWidth * ratio);
    const h = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    paint.setTransform(1, 0, 0, 1, 0, 0);
    paint.fillStyle = colors.panel;
    paint.fillRect(0, 0, w, h);
    paint.setTransform(scale * ratio, 0, 0, scale * ratio, -left * scale * ratio, -top * scale * ratio);
    const { found, rect, first, last } = visible();
    paint.lineWidth = Math.max(1, 0.7 / scale);
    paint.strokeStyle = colors.edge;
    paint.beginPath();
    for (let r = first; r <= last; r++)
      for (const i of byRow[r]) for (const e of view.nodes[i].edges) {
        const b = view.nodes[view.edges[e][1]];
        const a = view.nodes[i];
        if (b.y >= rect.y && Math.min(a.x, b.x) <= rect.r && Math.max(a.x + a.w, b.x + b.w) >= rect.x) drawEdge(e, paint);
      }
    for (const e of view.long) {
      const [a, b] = view.edges[e];
      if (view.nodes[a].y <= rect.b && view.nodes[b].y >= rect.y) drawEdge(e, paint);
    }
    paint.stroke();
    drawNodes(found);
    for (const i of matches.length < 500 ? matches : []) ring(i, colors.match);
    ring(picked, colors.picked);
    drawWindow();
    canvas.dataset.visible = found.length;
    canvas.dataset.frame = (performance.now() - begun).toFixed(2);
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  }

  // ---- the small map ----

  let mapImage;
  const mapScale = () => Math.min(map.width / view.width, map.height / view.height);

  function drawMap() {
    Object.assign(map, { width: 240, height: 320 });
    const p = map.getContext('2d');
    const s = mapScale();
    p.fillStyle = colors.paper;
    p.fillRect(0, 0, map.width, map.height);
    p.fillStyle = colors.dim;
    for (const n of view.nodes) p.fillRect(n.x * s, n.y * s, Math.max(1, n.w * s), Math.max(1, height * s));
    mapImage = p.getImageData(0, 0, map.width, map.height);
  }

  function drawWindow() {
    const p = map.getContext('2d');
    const s = mapScale();
    p.putImageData(mapImage, 0, 0);
    p.strokeStyle = colors.accent;
    p.lineWidth = 2;
    p.strokeRect(left * s, top * s, Math.min(map.width, (canvas.clientWidth / scale) * s), Math.min(map.height, (canvas.clientHeight / scale) * s));
  }

  // ---- moving ----

  /** The beginning of the graph, in a size that can be read. */
  function home() {
    scale = Math.min(1, Math.max(0.5, canvas.clientWidth / view.width));
    const first = view.nodes[0];
    left = first.x + first.w / 2 - canvas.clientWidth / scale / 2;
    top = -10;
    redraw();
  }

  function fit() {
    scale = Math.min(1, canvas.clientWidth / view.width, canvas.clientHeight / view.height);
    scale = Math.max(scale, 0.02);
    left = (view.width - canvas.clientWidth / scale) / 2;
    top = Math.min(0, (view.height - canvas.clientHeight / scale) / 2);
    if (view.height * scale > canvas.clientHeight) top = 0;
    redraw();
  }

  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const next = Math.min(4, Math.max(0.02, scale * factor));
    left += x / scale - x / next;
    top += y / scale - y / next;
    scale = next;
    redraw();
  }

  function pan(x, y) {
    left += x / scale;
    top += y / scale;
    redraw();
  }

  function show(i) {
    const n = view.nodes[i];
    scale = Math.max(scale, 0.8);
    left = n.x + n.w / 2 - canvas.clientWidth / scale / 2;
    top = n.y + height / 2 - canvas.clientHeight / scale / 2;
    pick(i);
  }

  function pick(i) {
    picked = i;
    showPanel();
    redraw();
  }

  // ---- the panel ----

  const link = (text, to) => make('button', text, { className: 'link', type: 'button', onclick: () => show(to) });

  function operandRow(id, end) {
    const operand = view.operands[id];
    const row = make('tr');
    const cell = make('td');
    const other = end === 'from' ? [view.makers[id]].filter((m) => m >= 0) : view.users[id];
    cell.append(make('code', `${operand.name}: ${shapeText(operand)}`));
    for (const o of other.slice(0, 20)) cell.append(make('br'), end === 'from' ? 'from ' : 'to ', link(view.nodes[o].text, o));
    if (operand.stats) {
      const { min, max, mean, zeros, first } = operand.stats;
      cell.append(make('br'), make('span', `${operand.bytes.toLocaleString('en')} bytes, min ${min}, max ${max}, mean ${mean}, ${zeros} zeros; ${first.join(' ')}`, { className: 'dim' }));
    }
    row.append(cell);
    return row;
  }

  function showPanel() {
    const panel = $('panel');
    panel.replaceChildren();
    const n = view.nodes[picked];
    if (!n) {
      panel.append(make('p', 'Pick a node to see its operands and options.', { className: 'dim' }));
      return;
    }
    panel.append(make('h3', n.text));
    if (n.label) panel.append(make('p', n.label));
    if (n.code) panel.append(make('pre', n.code));
    if (n.link) panel.append(make('p', n.link, { className: 'dim' }));
    for (const [title, list, end] of [['Inputs', n.in, 'from'], ['Results', n.out, 'to']]) {
      if (!list.length) continue;
      const table = make('table');
      table.append(make('caption', title, { className: 'dim' }));
      list.forEach((id) => table.append(operandRow(id, end)));
      panel.append(table);
    }
  }

  // ---- search, and all nodes as a table ----

  function find(text) {
    const wanted = text.trim().toLowerCase();
    const has = (s) => s && s.toLowerCase().includes(wanted);
    matches = [];
    if (wanted)
      view.nodes.forEach((n, i) => {
        if (has(n.text) || has(n.label) || n.out.some((o) => has(view.operands[o].name))) matches.push(i);
      });
    match = -1;
    page = 0;
    $('found').textContent = wanted ? `${matches.length} found` : '';
    showTable();
    redraw();
  }

  function step(by) {
    if (!matches.length) return;
    match = (match + by + matches.length) % matches.length;
    show(matches[match]);
    $('found').textContent = `${match + 1} of ${matches.length}`;
  }

  function showTable() {
    const body = $('rows');
    const list = $('find').value.trim() ? matches : view.nodes.map((_, i) => i);
    const pages = Math.max(1, Math.ceil(list.length / pageRows));
    page = Math.min(Math.max(0, page), pages - 1);
    body.replaceChildren();
    for (const i of list.slice(page * pageRows, (page + 1) * pageRows)) {
      const n = view.nodes[i];
      const row = make('tr');
      const name = make('td');
      name.append(link(n.text, i));
      row.append(make('td', String(i)), name, make('td', n.label ?? ''), make('td', n.in.map((o) => shapeText(view.operands[o])).join('; ')), make('td', n.out.map((o) => shapeText(view.operands[o])).join('; ')));
      body.append(row);
    }
    $('page').textContent = `page ${page + 1} of ${pages}`;
    $('before').disabled = page === 0;
    $('after').disabled = page === pages - 1;
  }

  // ---- saving ----

  function save(name, blob) {
    const a = make('a', '', { href: URL.createObjectURL(blob), download: name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  }

  function svgOf() {
    const { found } = visible();
    const seen = new Set(found);
    const doc = document.implementation.createDocument('http://www.w3.org/2000/svg', 'svg');
    const el = (tag, props) => {
      const e = doc.createElementNS('http://www.w3.org/2000/svg', tag);
      for (const [k, v] of Object.entries(props)) e.setAttribute(k, v);
      return e;
    };
    const root = doc.documentElement;
    root.setAttribute('viewBox', `${left} ${top} ${canvas.clientWidth / scale} ${canvas.clientHeight / scale}`);
    view.edges.forEach(([from, to]) => {
      if (!seen.has(from) && !seen.has(to)) return;
      const a = view.nodes[from];
      const b = view.nodes[to];
      root.append(el('path', { d: `M${a.x + a.w / 2} ${a.y + height}L${b.x + b.w / 2} ${b.y}`, stroke: colors.edge, fill: 'none' }));
    });
    for (const i of found) {
      const n = view.nodes[i];
      const [fill, line] = look(n);
      root.append(el('rect', { x: n.x, y: n.y, width: n.w, height, rx: 6, fill, stroke: line }));
      const text = el('text', { x: n.x + n.w / 2, y: n.y + 23, 'text-anchor': 'middle', 'font-family': 'sans-serif', 'font-size': 13, fill: colors.ink });
      text.textContent = n.text;
      root.append(text);
    }
    return new XMLSerializer().serializeToString(doc);
  }

  // ---- wiring ----

  let held;
  const grab = (e) => {
    held = { x: e.clientX, y: e.clientY, moved: false };
    canvas.setPointerCapture(e.pointerId);
  };
  const drag = (e) => {
    if (!held) return;
    held.moved ||= Math.hypot(e.clientX - held.x, e.clientY - held.y) > 4;
    if (!held.moved) return;
    pan(held.x - e.clientX, held.y - e.clientY);
    Object.assign(held, { x: e.clientX, y: e.clientY });
  };
  const drop = (e) => {
    const box = canvas.getBoundingClientRect();
    const x = left + (e.clientX - box.left) / scale;
    const y = top + (e.clientY - box.top) / scale;
    if (held && !held.moved) {
      const row = byRow[Math.round((y - 20 - height / 2) / 64)] ?? [];
      pick(row.find((i) => { const n = view.nodes[i]; return x >= n.x && x <= n.x + n.w && y >= n.y && y <= n.y + height; }) ?? -1);
    }
    held = undefined;
  };

  const keys = {
    '/': () => $('find').focus(), n: () => step(1), N: () => step(-1), f: fit, '+': () => zoom(1.25), '-': () => zoom(0.8),
    '?': () => { $('keys').open = !$('keys').open; },
  };
  const arrows = { ArrowLeft: [-80, 0], ArrowRight: [80, 0], ArrowUp: [0, -80], ArrowDown: [0, 80] };

  function onKey(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
    if (keys[e.key]) keys[e.key]();
    else if (arrows[e.key] && e.target === canvas) pan(...arrows[e.key]);
    else return;
    e.preventDefault();
  }

  async function take(file) {
    try {
      open(JSON.parse(await file.text()));
      $('said').textContent = `showing ${file.name}`;
    } catch {
      $('said').textContent = `${file.name} is no graph that this viewer saved`;
    }
  }

  function wire() {
    canvas.addEventListener('pointerdown', grab);
    canvas.addEventListener('pointermove', drag);
    canvas.addEventListener('pointerup', drop);
    canvas.addEventListener('wheel', (e) => {
      e.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoom(Math.exp(-e.deltaY / 500), e.clientX - box.left, e.clientY - box.top);
    }, { passive: false });
    map.addEventListener('click', (e) => {
      const box = map.getBoundingClientRect();
      const s = mapScale();
      left = ((e.clientX - box.left) / box.width) * map.width / s - canvas.clientWidth / scale / 2;
      top = ((e.clientY - box.top) / box.height) * map.height / s - canvas.clientHeight / scale / 2;
      redraw();
    });
    document.addEventListener('keydown', onKey);
    $('find').addEventListener('input', () => find($('find').value));
    $('find').addEventListener('keydown', (e) => { if (e.key === 'Enter') step(e.shiftKey ? -1 : 1); });
    $('overlay').addEventListener('change', () => { overlay = $('overlay').value; redraw(); });
    $('fit').addEventListener('click', fit);
    $('in').addEventListener('click', () => zoom(1.25));
    $('out').addEventListener('click', () => zoom(0.8));
    $('before').addEventListener('click', () => { page--; showTable(); });
    $('after').addEventListener('click', () => { page++; showTable(); });
    $('svg').addEventListener('click', () => save('graph.svg', new Blob([svgOf()], { type: 'image/svg+xml' })));
    $('png').addEventListener('click', () => canvas.toBlob((blob) => save('graph.png', blob)));
    $('json').addEventListener('click', () => save('graph.view.json', new Blob([JSON.stringify(view, (k, v) => (['edges', 'users', 'makers', 'long'].includes(k) && v !== view.edges ? undefined : v))], { type: 'application/json' })));
    const stage = canvas.parentElement;
    stage.addEventListener('dragover', (e) => { e.preventDefault(); stage.classList.add('drop'); });
    stage.addEventListener('dragleave', () => stage.classList.remove('drop'));
    stage.addEventListener('drop', (e) => {
      e.preventDefault();
      stage.classList.remove('drop');
      if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0]);
    });
    new ResizeObserver(redraw).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColors(); drawMap(); redraw(); });
  }

  readColors();
  open(JSON.parse($('data').textContent));
  wire();
  globalThis.viewer = { find, step, fit, zoom, pan, show, open };
})();
