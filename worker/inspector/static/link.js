// The state of the page in the fragment of its address, which is not sent to any server.

const MOST_CHARS = 30000;

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// The last compressed page: the options change far more often than the page.
let last = { html: "", packed: "" };

// Returns the fragment, and whether the page itself is in it.
export async function written(state) {
  const fields = new URLSearchParams();
  if (state.place) fields.set("place", state.place);
  if (state.page.sample) fields.set("sample", state.page.sample);
  fields.set("engine", state.engine);
  if (state.threshold !== null) fields.set("threshold", String(state.threshold));
  for (const [name, value] of Object.entries(state.options)) fields.set(`option.${name}`, value);
  if (state.compare) fields.set("compare", state.compare);
  fields.set("tab", state.tab);
  let isWhole = Boolean(state.page.sample || state.place);
  if (state.page.html) {
    const { html } = state.page;
    if (last.html !== html) last = { html, packed: await packed(html) };
    isWhole = last.packed.length <= MOST_CHARS;
    if (isWhole) fields.set("html", last.packed);
  }
  return [`#${fields}`, isWhole];
}

export async function read(fragment) {
  const fields = new URLSearchParams(fragment.slice(1));
  const state = { options: {}, page: {} };
  for (const name of ["engine", "compare", "tab", "place"]) {
    if (fields.has(name)) state[name] = fields.get(name);
  }
  if (fields.has("threshold")) {
    const threshold = Number(fields.get("threshold"));
    if (Number.isFinite(threshold)) state.threshold = threshold;
  }
  for (const [name, value] of fields) {
    if (name.startsWith("option.")) state.options[name.slice(7)] = value;
  }
  if (fields.get("sample")) state.page = { sample: fields.get("sample") };
  else if (fields.get("html")) state.page = { html: await unpacked(fields.get("html")) };
  return state;
}
