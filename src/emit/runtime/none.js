
/** The graph has no weights. */
export async function load() {
  return {};
}
