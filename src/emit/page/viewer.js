// The graph as a picture: pan, zoom, search, a panel for one node, and all nodes as a table.
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, props = {}) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, props);
  const canvas = $('graph');
  const map = $('map');
  const paint = canvas.getContext('2d');
  const height = 36;
  const row = 64;
  const pageRows = 25;
  const most = 150; // nodes that are shown at once before groups are folded
  let view;
  let raw; // its text
  let items; // what is drawn: {x, y, w, node} or {x, y, w, group}
  let frames; // around open groups: {x, y, w, h, group}
  let itemOf; // by node
  let lines; // between items, each once: [from, to]
  let long; // of those, the ones over many rows
  let size;
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

  /** Everything that follows from the data; throws for data that are none. */
  function derived(data) {
    if (data?.format !== 'onnx2webnn-view') throw new Error('no graph of this viewer');
    data.users = data.operands.map(() => []);
    data.makers = data.operands.map(() => -1);
    data.members = data.groups.map(() => []);
    data.nodes.forEach((n, i) => {
      n.in.forEach((o) => data.users[o].push(i));
      n.out.forEach((o) => (data.makers[o] = i));
      data.members[n.group].push({ x: n.x, y: n.y, w: n.w, node: i });
    });
    data.groups.forEach((g, i) => {
      g.open = data.nodes.length <= most;
      if (i) data.members[g.parent].push({ x: g.x, y: g.y, w: g.w, group: i });
    });
    data.groups[0].open = true;
    for (const [from, to] of data.edges) if (!data.nodes[from] || !data.nodes[to]) throw new Error('an edge without ends');
    return data;
  }

  function open(text) {
    view = derived(JSON.parse(text));
    raw = text;
    picked = match = -1;
    matches = [];
    page = 0;
    const groups = view.groups.length - 1;
    for (const option of [...$('overlay').options]) if (/^support |^differences/.test(option.value)) option.remove();
    for (const name of view.targets) $('overlay').append(make('option', `support by ${name}`, { value: `support ${name}` }));
    $('groups').hidden = !groups;
    $('count').textContent = `${view.nodes.length} nodes, ${view.edges.length} edges${groups ? `, ${groups} groups` : ''}`;
    compose();
    colorBy('kind');
    home();
    showPanel();
    showTable();
  }

  // ---- groups ----

  const edge = { side: 14, top: 34, gap: 28 };

  /** Members of one layer side by side without overlap, the whole as near as it can be to where they were. */
  function packRow(cells) {
    let end = -Infinity;
    let shift = 0;
    for (const c of cells) {
      const wanted = c.x + c.w / 2 - c.cw / 2;
      c.cx = Math.max(wanted, end);
      end = c.cx + c.cw + 20;
      shift += c.cx - wanted;
    }
    for (const c of cells) c.cx -= shift / cells.length;
  }

  /** Places the members of an open group within it; its size. Nothing moves where no member is open. */
  function place(group) {
    const layers = new Map();
    for (const c of view.members[group]) {
      const inside = c.group !== undefined && view.groups[c.group].open ? place(c.group) : undefined;
      c.cw = inside ? inside.w + 2 * edge.side : c.w;
      c.ch = inside ? inside.h + edge.side + edge.top : height;
      if (!layers.has(c.y)) layers.set(c.y, []);
      layers.get(c.y).push(c);
    }
    let y = 20;
    for (const cells of [...layers.keys()].sort((a, b) => a - b).map((key) => layers.get(key))) {
      cells.sort((a, b) => a.x - b.x);
      packRow(cells);
      for (const c of cells) c.cy = y;
      y += cells.reduce((m, c) => Math.max(m, c.ch), 0) + edge.gap;
    }
    const least = view.members[group].reduce((m, c) => Math.min(m, c.cx), Infinity) - 20;
    for (const c of view.members[group]) c.cx -= least;
    return { w: view.members[group].reduce((m, c) => Math.max(m, c.cx + c.cw), 0) + 20, h: y - edge.gap + 20 };
  }

  function take(group, x, y) {
    for (const c of view.members[group]) {
      if (c.group !== undefined && view.groups[c.group].open) {
        frames.push({ x: x + c.cx, y: y + c.cy, w: c.cw, h: c.ch, group: c.group });
        take(c.group, x + c.cx + edge.side, y + c.cy + edge.top);
        continue;
      }
      const item = { x: x + c.cx, y: y + c.cy, w: c.w, node: c.node, group: c.group, edges: [] };
      if (c.node !== undefined) itemOf[c.node] = items.length;
      items.push(item);
    }
  }

  /** The item that a node is seen as: itself, or the outermost folded group around it. */
  function findItems() {
    const folded = new Map(items.map((item, i) => [item.group, i]));
    const shown = (group) => (group === 0 ? undefined : (shown(view.groups[group].parent) ?? folded.get(group)));
    const known = view.groups.map((_, group) => shown(group));
    view.nodes.forEach((n, i) => {
      if (itemOf[i] < 0) itemOf[i] = known[n.group];
    });
  }

  /** What is to be drawn: nodes, folded groups, frames around open ones, an edge for all between two of them. */
  function compose() {
    items = [];
    frames = [];
    itemOf = new Int32Array(view.nodes.length).fill(-1);
    size = place(0);
    take(0, 0, 0);
    findItems();
    byRow = Array.from({ length: Math.ceil(size.h / row) + 1 }, () => []);
    items.forEach((item, i) => byRow[Math.floor(item.y / row)].push(i));
    byRow.forEach((list) => list.sort((a, b) => items[a].x - items[b].x));
    lines = [];
    long = [];
    const seen = new Set();
    for (const [a, b] of view.edges) {
      const from = itemOf[a];
      const to = itemOf[b];
      const key = from * items.length + to;
      if (from === to || seen.has(key)) continue;
      seen.add(key);
      if (Math.abs(items[to].y - items[from].y) > 12 * row) long.push(lines.length);
      else items[from].edges.push(lines.length);
      lines.push([from, to]);
    }
    findMost();
    drawMap();
    redraw();
  }

  /** Opens or folds a group, and keeps its corner where it is on the screen. */
  function toggle(group, to = !view.groups[group].open) {
    const corner = () => frames.find((f) => f.group === group) ?? items.find((i) => i.group === group);
    const before = corner();
    view.groups[group].open = to;
    compose();
    const after = corner();
    if (before && after) {
      left += after.x - before.x;
      top += after.y - before.y;
    }
    $('said').textContent = `${to ? 'opened' : 'folded'} ${view.groups[group].name}`;
    showPanel();
  }

  function toggleAll(to) {
    view.groups.forEach((g, i) => (g.open = i === 0 || to));
    compose();
    home();
    $('said').textContent = to ? 'all groups are open' : 'all groups are folded';
    showPanel();
  }

  /** Opens what a node is in. */
  function reveal(node) {
    let any = false;
    for (let g = view.nodes[node].group; g; g = view.groups[g].parent) {
      any ||= !view.groups[g].open;
      view.groups[g].open = true;
    }
    if (any) compose();
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
    const target = overlay.startsWith('support ') ? view.targets.indexOf(overlay.slice(8)) : -1;
    if (target >= 0 && n.support) return [undefined, tint(40, 1), tint(0, 1), tint(0, 0)][n.support[target]] ?? [colors.node, colors['node-line']];
    if (overlay === 'differences') return n.share === undefined ? [colors.node, colors['node-line']] : tint(n.share <= 1 ? 130 : 0, 0.3 + 0.7 * Math.min(1, n.share));
    if (overlay === 'bytes') return tint(265, n.bytes ? Math.min(1, Math.log2(1 + n.bytes) / 26) : 0);
    const kind = n.kind !== 'operator' ? 'port' : n.bytes ? 'weighted' : 'node';
    return [colors[kind], colors[`${kind}-line`]];
  }

  /** How much a node stands out: refused before rewritten, the greatest difference, the most bytes. */
  function weightOf(n) {
    if (overlay.startsWith('support ')) return [0, 1, 2, 0][n.support?.[view.targets.indexOf(overlay.slice(8))] ?? 0];
    if (overlay === 'differences') return n.share ?? -1;
    return overlay === 'bytes' ? (n.bytes ?? 0) : 0;
  }

  /** A folded group looks like the node in it that stands out most, where one does. */
  function lookOf(item) {
    if (item.group === undefined) return look(view.nodes[item.node]);
    const n = view.nodes[item.most];
    return n && weightOf(n) > 0 ? look(n) : [colors.paper, colors.dim];
  }

  function findMost() {
    for (const item of items) item.most = undefined;
    view.nodes.forEach((n, i) => {
      const item = items[itemOf[i]];
      if (item.group !== undefined && (item.most === undefined || weightOf(n) > weightOf(view.nodes[item.most]))) item.most = i;
    });
  }

  function colorBy(name) {
    overlay = name;
    $('overlay').value = name;
    const legends = { differences: 'output by output of a report: green within the tolerance, red outside', bytes: 'the darker, the more bytes of constants' };
    $('legend').textContent = name.startsWith('support ') ? 'amber: rewritten for this target, red: refused by it' : (legends[name] ?? '');
    findMost();
    redraw();
  }

  /** What a validation report says of each output, shown at the output and at what makes it. */
  function takeReport(report, name) {
    for (const n of view.nodes) delete n.share;
    let known = 0;
    for (const run of report.runs ?? [])
      for (const output of run.outputs ?? []) {
        const share = output.result === 'passed' ? Math.min(1, output.maxNormalized ?? 0) : Math.max(1.001, output.maxNormalized ?? 2);
        view.nodes.forEach((n, i) => {
          if (n.kind !== 'output' || (n.text !== output.graphName && n.text !== output.name)) return;
          known++;
          for (const node of [n, ...[view.makers[n.in[0]]].filter((m) => m >= 0).map((m) => view.nodes[m])])
            node.share = Math.max(node.share ?? 0, share);
        });
      }
    if (![...$('overlay').options].some((o) => o.value === 'differences')) $('overlay').append(make('option', 'differences', { value: 'differences' }));
    colorBy('differences');
    $('said').textContent = `${name}: ${report.result}, ${known} results of this graph's outputs`;
  }

  function drawEdge(index, to) {
    const [from, target] = lines[index];
    const a = items[from];
    const b = items[target];
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
    const first = Math.max(0, Math.floor(rect.y / row) - 1);
    const last = Math.min(byRow.length - 1, Math.ceil(rect.b / row));
    for (let r = first; r <= last; r++)
      for (const i of byRow[r]) {
        const n = items[i];
        if (n.x + n.w >= rect.x && n.x <= rect.r) found.push(i);
      }
    return { found, rect, first: Math.max(0, first - 12), last: Math.min(byRow.length - 1, last + 12) };
  }

  const textOf = (item) =>
    item.group === undefined ? view.nodes[item.node].text : `${nameOf(item.group)} (${view.groups[item.group].operators})`;

  /** The last part of a group's name. */
  const nameOf = (group) => view.groups[group].name.replace(/^.*[/](?=.)/, '');

  function drawFrames(rect) {
    for (const f of frames) {
      if (f.x > rect.r || f.x + f.w < rect.x || f.y > rect.b || f.y + f.h < rect.y) continue;
      paint.strokeStyle = colors.dim;
      paint.setLineDash([6, 4]);
      paint.strokeRect(f.x, f.y, f.w, f.h);
      paint.setLineDash([]);
      if (scale < 0.35) continue;
      paint.fillStyle = colors.dim;
      paint.font = '13px system-ui, sans-serif';
      paint.textAlign = 'left';
      paint.fillText(`− ${nameOf(f.group)}`, f.x + 10, f.y + 21);
    }
  }

  function drawNodes(found) {
    const groups = new Map();
    for (const i of found) {
      const [fill, line] = lookOf(items[i]);
      const key = fill + line;
      if (!groups.has(key)) groups.set(key, { fill, line, nodes: [] });
      groups.get(key).nodes.push(items[i]);
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
      const n = items[i];
      paint.fillText(textOf(n), n.x + n.w / 2, n.y + 23, n.w - 8);
    }
  }

  function ring(node, color) {
    const n = items[itemOf[node]];
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
      for (const i of byRow[r]) for (const e of items[i].edges) {
        const b = items[lines[e][1]];
        const a = items[i];
        if (Math.max(a.y, b.y) >= rect.y && Math.min(a.y, b.y) <= rect.b && Math.min(a.x, b.x) <= rect.r && Math.max(a.x + a.w, b.x + b.w) >= rect.x) drawEdge(e, paint);
      }
    for (const e of long) {
      const [a, b] = lines[e].map((i) => items[i].y);
      if (Math.min(a, b) <= rect.b && Math.max(a, b) >= rect.y) drawEdge(e, paint);
    }
    paint.stroke();
    drawFrames(rect);
    drawNodes(found);
    for (const i of matches.length < 500 ? matches : []) ring(i, colors.match);
    ring(picked, colors.picked);
    drawWindow();
    canvas.dataset.visible = found.length;
    canvas.dataset.items = items.length;
    canvas.dataset.frame = (performance.now() - begun).toFixed(2);
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  }

  // ---- the small map ----

  let mapImage;
  const mapScale = () => Math.min(map.width / size.w, map.height / size.h);

  function drawMap() {
    Object.assign(map, { width: 240, height: 320 });
    const p = map.getContext('2d', { willReadFrequently: true });
    const s = mapScale();
    p.fillStyle = colors.paper;
    p.fillRect(0, 0, map.width, map.height);
    p.fillStyle = colors.dim;
    for (const n of items) p.fillRect(n.x * s, n.y * s, Math.max(1, n.w * s), Math.max(1, height * s));
    mapImage = p.getImageData(0, 0, map.width, map.height);
  }

  function drawWindow() {
    const p = map.getContext('2d', { willReadFrequently: true });
    const s = mapScale();
    p.putImageData(mapImage, 0, 0);
    p.strokeStyle = colors.accent;
    p.lineWidth = 2;
    p.strokeRect(left * s, top * s, Math.min(map.width, (canvas.clientWidth / scale) * s), Math.min(map.height, (canvas.clientHeight / scale) * s));
  }

  // ---- moving ----

  /** The beginning of the graph, in a size that can be read. */
  function home() {
    scale = Math.min(1, Math.max(0.5, canvas.clientWidth / size.w));
    const first = items[Math.max(0, itemOf[0] ?? 0)];
    left = first ? first.x + first.w / 2 - canvas.clientWidth / scale / 2 : 0;
    top = -10;
    redraw();
  }

  function fit() {
    scale = Math.min(1, canvas.clientWidth / size.w, canvas.clientHeight / size.h);
    scale = Math.max(scale, 0.02);
    left = (size.w - canvas.clientWidth / scale) / 2;
    top = Math.min(0, (size.h - canvas.clientHeight / scale) / 2);
    if (size.h * scale > canvas.clientHeight) top = 0;
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
    reveal(i);
    const n = items[itemOf[i]];
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

  /** Defaults are dimmed. */
  function optionTable(options) {
    const table = make('table');
    table.append(make('caption', 'Options', { className: 'dim' }));
    for (const [name, value, isDefault] of options) {
      const line = make('tr', undefined, { className: isDefault ? 'dim' : '' });
      line.append(make('th', name, { scope: 'row' }), make('td', isDefault ? `${value} (default)` : value));
      table.append(line);
    }
    return table;
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
    if (n.group) {
      const { open: opened, name } = view.groups[n.group];
      const fold = () => toggle(n.group);
      panel.append(make('button', `${opened ? 'Fold' : 'Open'} ${name}`, { type: 'button', onclick: fold }));
    }
    if (n.code) panel.append(make('pre', n.code));
    if (n.options?.length) panel.append(optionTable(n.options));
    if (n.support) panel.append(make('p', view.targets.map((t, i) => `${t}: ${['as it is', 'rewritten', 'refused', 'not known'][n.support[i]]}`).join('; '), { className: 'dim' }));
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
    for (const f of frames) root.append(el('rect', { x: f.x, y: f.y, width: f.w, height: f.h, fill: 'none', stroke: colors.dim, 'stroke-dasharray': '6 4' }));
    lines.forEach(([from, to]) => {
      if (!seen.has(from) && !seen.has(to)) return;
      const a = items[from];
      const b = items[to];
      root.append(el('path', { d: `M${a.x + a.w / 2} ${a.y + height}L${b.x + b.w / 2} ${b.y}`, stroke: colors.edge, fill: 'none' }));
    });
    for (const i of found) {
      const n = items[i];
      const [fill, line] = lookOf(n);
      root.append(el('rect', { x: n.x, y: n.y, width: n.w, height, rx: 6, fill, stroke: line }));
      const text = el('text', { x: n.x + n.w / 2, y: n.y + 23, 'text-anchor': 'middle', 'font-family': 'sans-serif', 'font-size': 13, fill: colors.ink });
      text.textContent = textOf(n);
      root.append(text);
    }
    return new XMLSerializer().serializeToString(doc);
  }

  // ---- wiring ----

  function click(x, y) {
    const at = Math.floor(y / row);
    const hit = [at - 1, at].flatMap((r) => byRow[r] ?? []).map((i) => items[i])
      .find((n) => x >= n.x && x <= n.x + n.w && y >= n.y && y <= n.y + height);
    const title = frames.findLast((f) => x >= f.x && x <= f.x + f.w && y >= f.y && y <= f.y + edge.top - 6);
    if (hit) hit.group === undefined ? pick(hit.node) : toggle(hit.group);
    else if (title) toggle(title.group);
    else pick(-1);
  }

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
    if (held && !held.moved) click(x, y);
    held = undefined;
  };

  const keys = {
    '/': () => $('find').focus(), n: () => step(1), N: () => step(-1), f: fit, '+': () => zoom(1.25), '-': () => zoom(0.8),
    g: () => picked >= 0 && view.nodes[picked].group && toggle(view.nodes[picked].group),
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

  async function takeFile(file) {
    const kept = raw;
    try {
      const text = await file.text();
      const report = JSON.parse(text);
      if (report.schema === 'onnx2webnn.validate') return takeReport(report, file.name);
      open(text);
      $('said').textContent = `showing ${file.name}`;
    } catch {
      open(kept);
      $('said').textContent = `${file.name} is neither a graph that this viewer saved nor a report of validate --json`;
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
    $('overlay').addEventListener('change', () => colorBy($('overlay').value));
    $('fit').addEventListener('click', fit);
    $('in').addEventListener('click', () => zoom(1.25));
    $('out').addEventListener('click', () => zoom(0.8));
    $('before').addEventListener('click', () => { page--; showTable(); });
    $('after').addEventListener('click', () => { page++; showTable(); });
    $('svg').addEventListener('click', () => save('graph.svg', new Blob([svgOf()], { type: 'image/svg+xml' })));
    $('png').addEventListener('click', () => canvas.toBlob((blob) => save('graph.png', blob)));
    $('json').addEventListener('click', () => save('graph.view.json', new Blob([raw], { type: 'application/json' })));
    $('unfold').addEventListener('click', () => toggleAll(true));
    $('fold').addEventListener('click', () => toggleAll(false));
    const stage = canvas.parentElement;
    stage.addEventListener('dragover', (e) => { e.preventDefault(); stage.classList.add('drop'); });
    stage.addEventListener('dragleave', () => stage.classList.remove('drop'));
    stage.addEventListener('drop', (e) => {
      e.preventDefault();
      stage.classList.remove('drop');
      if (e.dataTransfer.files[0]) takeFile(e.dataTransfer.files[0]);
    });
    new ResizeObserver(redraw).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColors(); drawMap(); redraw(); });
  }

  /** The data of the page: JSON, or base64 of it compressed. */
  async function embedded() {
    const text = $('data').textContent;
    if ($('data').type === 'application/json') return text;
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  }

  readColors();
  embedded().then((text) => {
    open(text);
    wire();
    canvas.dataset.ready = 'true';
  });
  globalThis.viewer = { find, step, fit, zoom, pan, show, open, toggle, toggleAll, colorBy, takeReport };
})();
