// The calls that emitted modules make, taken down by a builder that computes nothing, against the graphs' own files.
//   calls.mjs EMITTER DATA: every conformance case; needs node, no browser
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Tally, temporary } from './harness.mjs';

/** Arguments behind the operands, in the order of the standard's signatures; all others are options. */
const positional = {
  argMax: ['axis'], argMin: ['axis'], cast: ['to'], concat: ['axis'], cumulativeSum: ['axis'], expand: ['newShape'],
  gru: ['steps', 'hiddenSize'], gruCell: ['hiddenSize'], lstm: ['steps', 'hiddenSize'], lstmCell: ['hiddenSize'],
  pad: ['beginningPadding', 'endingPadding'], reshape: ['newShape'], slice: ['starts', 'sizes'], softmax: ['axis'],
  split: ['splits'], tile: ['repetitions'],
};
const lists = ['gru', 'lstm', 'lstmCell', 'split'];

class Operand {
  constructor(name) {
    this.name = name;
  }
}

/** Takes everything for granted, and every call down. */
class Recorder {
  constructor(counts) {
    this.counts = counts; // results by call
    this.calls = [];
    this.inputs = {};
    this.constants = [];
    return new Proxy(this, { get: (self, key) => self[key] ?? ((...args) => self.call(key, args)) });
  }
  input(name, descriptor) {
    this.inputs[name] = descriptor;
    return new Operand(`input ${name}`);
  }
  constant(descriptor, value) {
    this.constants.push({ descriptor, value });
    return new Operand(`constant ${this.constants.length - 1}`);
  }
  call(op, args) {
    const at = this.calls.length;
    this.calls.push({ op, args });
    const results = Array.from({ length: this.counts[at] ?? 1 }, (_, i) => new Operand(`call ${at} result ${i}`));
    return lists.includes(op) ? results : results[0];
  }
  async build(outputs) {
    this.outputs = outputs;
    return { recorder: this };
  }
}

const every = {
  dataTypes: ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4'],
  rankRange: { min: 0, max: 16 },
};
const context = {
  opSupportLimits: () => new Proxy({}, {
    get: (_, operator) => (operator === 'maxTensorByteLength' ? 2 ** 40 : new Proxy(every, { get: (t, k) => t[k] ?? every })),
  }),
};

/** What a value is, whichever way it is written: BigInts are numbers of the file's own form, operands are names. */
function plain(value, names) {
  if (value instanceof Operand) return names.get(value.name) ?? value.name;
  if (Array.isArray(value)) return value.map((v) => plain(v, names));
  if (typeof value === 'bigint') return Number(value);
  if (value === Infinity || value === -Infinity) return Math.sign(value) * Number.MAX_VALUE; // files have no infinity
  return value;
}

/** A recorded call in the form of a node of the graph file. */
function nodeOf({ op, args }, names) {
  const inputs = [];
  const rest = [...args];
  const isOperands = (v) => v instanceof Operand || (Array.isArray(v) && v[0] instanceof Operand);
  while (isOperands(rest[0])) inputs.push(...[rest.shift()].flat());
  const options = {};
  for (const key of positional[op] ?? []) options[key] = rest.shift();
  Object.assign(options, rest.shift());
  if (rest.length) throw new Error(`${op} has ${args.length} arguments`);
  return {
    op, inputs: inputs.map((v) => plain(v, names)),
    options: Object.fromEntries(Object.entries(options).map(([k, v]) => [k, plain(v, names)])),
  };
}

/** Options of a file that are the standard's defaults: a call leaves them out. */
const defaults = {
  direction: 'forward', mode: undefined, 'resample2d mode': 'nearest-neighbor', returnSequence: false, resetAfter: true,
  'split axis': 0, 'gather axis': 0,
};

function isDefault(op, key, value) {
  const recurrent = op.startsWith('gru') ? ['zrn', 'sigmoid,tanh'] : ['iofg', 'sigmoid,tanh,tanh'];
  if (/^(gru|lstm)/.test(op) && key === 'layout') return value === recurrent[0];
  if (/^(gru|lstm)/.test(op) && key === 'activations') return String(value) === recurrent[1];
  if (op === 'resample2d' && key === 'axes') return String(value) === '2,3';
  if (op === 'transpose') return value.every((axis, i) => axis === value.length - 1 - i);
  return (defaults[`${op} ${key}`] ?? defaults[key]) === value;
}

function sameOptions(op, got, want) {
  for (const key of new Set([...Object.keys(got), ...Object.keys(want)]))
    if (!Object.is(JSON.stringify(got[key]), JSON.stringify(want[key])) && !(got[key] === undefined && isDefault(op, key, want[key])))
      return `${key} is ${JSON.stringify(got[key])}, must be ${JSON.stringify(want[key])}`;
  return undefined;
}

function bytesOf(value) {
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** Undefined when the calls are the graph's nodes, in its order. */
function judge(recorder, graph) {
  const names = new Map(Object.keys(graph.inputs).map((name) => [`input ${name}`, name]));
  const nodes = graph.nodes.filter((node) => node.op !== 'constant');
  if (recorder.calls.length !== nodes.length) return `${recorder.calls.length} calls, must be ${nodes.length}`;
  const constants = new Map();
  const claim = (got, want) => {
    // A constant has no name in the module: it is the one that stands there first.
    if (!got.startsWith('constant ')) return got === want;
    if (!constants.has(got)) constants.set(got, want);
    return constants.get(got) === want;
  };
  for (const [i, node] of nodes.entries()) {
    const got = nodeOf(recorder.calls[i], names);
    if (got.op !== node.op) return `call ${i} is ${got.op}, must be ${node.op}`;
    const want = node.inputs;
    if (got.inputs.length !== want.length || !got.inputs.every((name, k) => claim(name, want[k])))
      return `${node.op} of ${got.inputs}, must be of ${want}`;
    for (const [key, value] of Object.entries(got.options))
      if (typeof value === 'string' && value.startsWith('constant ') && claim(value, node.options[key])) got.options[key] = node.options[key];
    const why = sameOptions(node.op, got.options, node.options);
    if (why) return `${node.op}: ${why}`;
    (node.outputs ?? [node.id]).forEach((name, k) => names.set(`call ${i} result ${k}`, name));
  }
  for (const [name, operand] of Object.entries(recorder.outputs))
    if (!claim(plain(operand, names), graph.outputs[name])) return `output '${name}' is ${plain(operand, names)}`;
  return judgeConstants(recorder, graph, constants);
}

/** Constants that are used have the file's types, shapes and bytes. */
function judgeConstants(recorder, graph, constants) {
  for (const [got, name] of constants) {
    const { descriptor, value } = recorder.constants[Number(got.slice('constant '.length))];
    const want = graph.consts[name];
    if (!want) return `'${name}' is no constant`;
    if (typeof descriptor === 'string') {
      if (descriptor !== want.dataType || want.shape.length || Number(value) !== Number(want.init.value)) return `constant '${name}' differs`;
      continue;
    }
    if (descriptor.dataType !== want.dataType || String(descriptor.shape) !== String(want.shape)) return `constant '${name}' differs`;
    if (want.init.kind === 'inlineBytes' && !bytesOf(value).equals(Buffer.from(want.init.bytes))) return `bytes of '${name}' differ`;
  }
  return undefined;
}

async function prove(out, base) {
  const graph = JSON.parse(fs.readFileSync(path.join(out, `${base}.json`)));
  const emitted = await import(pathToFileURL(path.join(out, `${base}.mjs`)).href);
  const counts = graph.nodes.map((node) => node.outputs?.length ?? 1);
  globalThis.MLGraphBuilder = class { constructor() { return new Recorder(counts); } };
  const { recorder } = await emitted.build(context, await emitted.load());
  for (const [name, { dataType, shape }] of Object.entries(graph.inputs))
    if (recorder.inputs[name]?.dataType !== dataType || String(recorder.inputs[name].shape) !== String(shape)) return `input '${name}' differs`;
  return judge(recorder, graph);
}

const [emitter, data] = process.argv.slice(2);
const out = temporary();
const tally = new Tally();
const seen = new Set();
execFileSync(emitter, [data, out]);
for (const { file, name, module, skip, refused } of JSON.parse(fs.readFileSync(path.join(out, 'cases.json')))) {
  if (skip || refused) continue;
  const base = path.basename(module, '.mjs');
  let why;
  try {
    why = await prove(out, base);
    for (const node of JSON.parse(fs.readFileSync(path.join(out, `${base}.json`))).nodes) seen.add(node.op);
  } catch (error) {
    why = error.message;
  }
  tally.judge(`${file}: ${name}`, why);
}
console.log(`${seen.size} operators`);
fs.rmSync(out, { recursive: true });
tally.finish();
