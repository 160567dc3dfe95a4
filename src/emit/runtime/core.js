
// ---- the same in every module ----

const arrays = {
  float32: [Float32Array],
  float16: [globalThis.Float16Array ?? Uint16Array, Uint16Array],
  int32: [Int32Array],
  uint32: [Uint32Array],
  int64: [BigInt64Array],
  uint64: [BigUint64Array],
  int8: [Int8Array],
  uint8: [Uint8Array, Uint8ClampedArray],
  int4: [Uint8Array],
  uint4: [Uint8Array],
};

const bits = { float16: 16, int64: 64, uint64: 64, int8: 8, uint8: 8, int4: 4, uint4: 4 };

/** Storage bytes: two elements of a 4-bit type share one, the first in the low half. */
function byteLength({ dataType, shape }) {
  return Math.ceil((shape.reduce((a, b) => a * b, 1) * (bits[dataType] ?? 32)) / 8);
}

/**
 * A context, or an Error that says why there is none and what helps.
 * @param {{powerPreference?: string, accelerated?: boolean}} [options]
 */
export async function createContext(options) {
  if (!globalThis.isSecureContext)
    throw new Error('WebNN needs a secure page: https, or http on localhost');
  if (!globalThis.navigator?.ml)
    throw new Error(
      'this browser has no WebNN (navigator.ml): a newer one may, or one with the flag ' +
        '"WebMachineLearningNeuralNetwork" switched on',
    );
  try {
    return await navigator.ml.createContext(options);
  } catch (error) {
    throw new Error(`WebNN is there, but no device for it: ${error.message}`, { cause: error });
  }
}

/**
 * What this context lacks for the graph: one line each, empty when it can be built.
 * @param {MLContext} context
 */
export function check(context) {
  const limits = context.opSupportLimits();
  const missing = [];
  for (const [operator, operand, dataType, rank, where] of used) {
    const limit = operand ? limits[operator]?.[operand] : limits[operator];
    const place = operand ? `${operator} ${where}: ${operand}` : `${operator} ${where}`;
    if (!limit) missing.push(`${place} isn't supported here`);
    else if (!limit.dataTypes.includes(dataType))
      missing.push(`${place} ${dataType} isn't supported here (${limit.dataTypes.join(', ')})`);
    else if (rank !== null && limit.rankRange && (rank < limit.rankRange.min || rank > limit.rankRange.max))
      missing.push(
        `${place} of rank ${rank} isn't supported here ` +
          `(${limit.rankRange.min} to ${limit.rankRange.max})`,
      );
  }
  if (limits.maxTensorByteLength < largest)
    missing.push(
      `a tensor of ${largest} bytes isn't supported here (${limits.maxTensorByteLength})`,
    );
  return missing;
}

function refuseMissing(context) {
  const missing = check(context);
  if (!missing.length) return;
  const more = missing.length > 8 ? `\n  ${missing.length - 8} more` : '';
  throw new Error(`the graph cannot be built:\n  ${missing.slice(0, 8).join('\n  ')}${more}`);
}

/** The builder, with the operator and its label in front of what it throws. */
function named(builder, prefix) {
  return new Proxy(builder, {
    get(target, method) {
      const value = target[method];
      if (typeof value !== 'function') return value;
      return (...args) => {
        try {
          return value.apply(target, args);
        } catch (error) {
          const label = args.at(-1)?.label;
          const place = label ? `${method} '${label}'` : method;
          throw new Error(`${prefix}${place}: ${error.message}`, { cause: error });
        }
      };
    },
  });
}

/** A constant with one value for all elements; float16 values are given as bits. */
function filled(builder, dataType, shape, value) {
  const Type = dataType === 'float16' ? Uint16Array : arrays[dataType][0];
  const data = new Type(shape.reduce((a, b) => a * b, 1)).fill(value);
  return builder.constant({ dataType, shape }, new Uint8Array(data.buffer));
}

const states = new WeakMap();

async function finish(context, builder, operands, results, carry) {
  const graph = await builder.build(results);
  states.set(graph, { context, operands, results, carry });
  return graph;
}

/** A tensor per port; what its operand carries is the port's type, where that is another one. */
function makeTensors(context, ports, operands, usage, carry) {
  const make = async ({ name, dataType }) => {
    const shape = [...operands[name].shape];
    const tensor = await context.createTensor({ dataType: operands[name].dataType, shape, ...usage });
    return [name, { dataType, shape, tensor, carry: operands[name].dataType === dataType ? undefined : carry }];
  };
  return Promise.all(ports.map(make)).then(Object.fromEntries);
}

async function tensorsOf(context, graph) {
  const state = states.get(graph);
  if (!state) throw new TypeError('this graph was not made by build() of this module');
  if (state.context !== context)
    throw new TypeError('this graph was built for another context');
  state.tensors ??= (async () => {
    const [ins, outs] = await Promise.all([
      makeTensors(context, inputs, state.operands, { writable: true }, state.carry?.in),
      makeTensors(context, outputs, state.results, { readable: true }, state.carry?.out),
    ]);
    return { inputs: ins, outputs: outs };
  })();
  return state.tensors;
}

/** Takes the bytes of a feed when they are what the input wants. */
function bytesOf(name, feed, wanted) {
  if (feed === undefined) throw new TypeError(`input '${name}' isn't given`);
  const types = arrays[wanted.dataType];
  const size = byteLength(wanted);
  if (feed instanceof ArrayBuffer) feed = new Uint8Array(feed);
  else if (!types.some((type) => feed instanceof type))
    throw new TypeError(
      `input '${name}' must be a ${types.map((type) => type.name).join(' or ')}, ` +
        `found ${feed?.constructor?.name ?? typeof feed}`,
    );
  if (feed.byteLength !== size)
    throw new TypeError(
      `input '${name}' has ${feed.byteLength} bytes, must be ${size} ` +
        `(${wanted.dataType} [${wanted.shape.join(', ')}])`,
    );
  const bytes = new Uint8Array(feed.buffer, feed.byteOffset, feed.byteLength);
  return wanted.carry ? wanted.carry(bytes, wanted) : bytes;
}

/**
 * Computes. The tensors are made at the first run of a graph and used again.
 * @param {Record<string, ArrayBufferView|ArrayBuffer>} feeds by input name
 * @returns {Promise<Record<string, ArrayBufferView>>} by output name
 */
export async function run(context, graph, feeds) {
  const tensors = await tensorsOf(context, graph);
  for (const name of Object.keys(feeds))
    if (!Object.hasOwn(tensors.inputs, name)) throw new TypeError(`there is no input '${name}'`);
  const bytes = Object.entries(tensors.inputs).map(([name, wanted]) => [
    wanted.tensor,
    bytesOf(name, feeds[name], wanted),
  ]);
  for (const [tensor, data] of bytes) context.writeTensor(tensor, data);
  const bare = (map) => Object.fromEntries(Object.entries(map).map(([k, v]) => [k, v.tensor]));
  context.dispatch(graph, bare(tensors.inputs), bare(tensors.outputs));
  const results = await Promise.all(
    Object.entries(tensors.outputs).map(async ([name, port]) => {
      const buffer = await context.readTensor(port.tensor);
      return [name, new arrays[port.dataType][0](port.carry ? port.carry(buffer, port) : buffer)];
    }),
  );
  return Object.fromEntries(results);
}
