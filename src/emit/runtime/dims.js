
// ---- open dimensions ----

/** The sizes that build() was given, in the order of `dims`. */
function sizesOf(given = {}) {
  for (const name of Object.keys(given))
    if (!dims.some((dim) => dim.name === name)) throw new TypeError(`there is no dimension '${name}'`);
  return dims.map(({ name, min, max }) => {
    if (given[name] === undefined)
      throw new TypeError(`dimension '${name}' has no size: build(context, weights, {dims: {…}})`);
    return size(given[name], min, max, name);
  });
}

function size(value, min, max, what) {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${what} is ${value}, must be ${min} to ${max}`);
}

/** Two sizes that must be the same for the operator. */
function same(a, b, what) {
  if (a !== b) throw new RangeError(`${what}: ${a} and ${b} must be equal`);
}

const mod = (a, b) => ((a % b) + b) % b;
