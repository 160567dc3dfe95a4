
// ---- weights ----

function decode(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** The weights stand in this module: there is nothing to load. */
export async function load() {
  return {};
}

/** All constants by key. */
async function constants(builder, weights, onProgress) {
  const made = Object.create(null);
  let loaded = 0;
  for (const [key, dataType, shape] of weightTable) {
    made[key] = builder.constant({ dataType, shape }, decode(archive[key]));
    onProgress?.({ stage: 'weights', loaded: ++loaded, total: weightTable.length });
  }
  return made;
}
