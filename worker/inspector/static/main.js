// The page: the user's choices -> the API -> blocks, result and facts.

import { Refused, ask, base64 } from "./api.js";
import * as blocks from "./blocks.js";
import * as diff from "./diff.js";
import { afterPaint, by, figure, make } from "./dom.js";
import * as histogram from "./histogram.js";
import * as link from "./link.js";
import * as lookup from "./lookup.js";
import { rendered } from "./markdown.js";

const TABS = ["text", "rendered", "markdown", "json", "diff"];
// A browser needs milliseconds to write an address, and a dragged slider changes it often.
const REMEMBER_MS = 250;
const SCREEN_CHARS = 4000;
const STAGES = ["read", "judge", "write"];
const state = { page: {}, engine: "", threshold: null, options: {}, compare: "", tab: "text", place: "" };
let choices;
let explained = null;
let seenPage = null;

// Options of other engines are left out.
const asked = (over = {}) => {
  const options = { ...state.options, engine: state.engine, ...over };
  if (state.threshold !== null && options.engine === state.engine) options.threshold = state.threshold;
  for (const name of choices.engines[options.engine].unknown) delete options[name];
  return { ...state.page, options };
};
const isEmpty = () => !(state.page.sample || state.page.html || state.page.body);

// One request at a time: of changes during a request only the last is sent.
let deciding = null;
let isWanted = false;
function decide() {
  isWanted = true;
  deciding ??= untilDecided().finally(() => { deciding = null; });
  return deciding;
}

async function untilDecided() {
  while (isWanted) {
    isWanted = false;
    if (!isEmpty()) await decideOnce();
  }
}

async function decideOnce() {
  const started = performance.now();
  const { page } = state;
  const isNew = seenPage !== page;
  if (isNew) blocks.restart();
  try {
    explained = await ask("api/explain", { ...asked(), markup: isNew && Boolean(page.sample), blocks: blocks.wanted() });
    show();
    const kernel = Object.values(explained.stats.cpu_ms).reduce((sum, ms) => sum + ms, 0);
    afterPaint("decided", () => {
      const { duration } = performance.measure("decided", { start: started, detail: { kernel } });
      say(`${Math.round(duration)} ms, of which the kernel ${kernel.toFixed(1)} ms`);
    });
    await showResult();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
    if (isNew) clear(error.message);
  }
  afterPaint("details", () => {
    if (state.page !== page) return;
    if (isNew) { seenPage = page; view(); }
    if (explained?.markup !== undefined) by("html").value = explained.markup;
    histogram.show(explained?.perplexities, explained?.document);
  });
  rememberSoon();
}

// Clears the previous page when a page gives no document.
function clear(why) {
  explained = null;
  by("title").textContent = "No document";
  by("kept").textContent = why;
  by("facts").replaceChildren();
  by("left-out").hidden = true;
  by("result").replaceChildren(empty(why));
  blocks.show(by("blocks"), { blocks: [], blocks_left_out: 0, stats: {} });
}

function say(text, isError = false) {
  by("status").textContent = text;
  by("status").className = isError ? "error" : "";
}

function show() {
  const { document: made, stats } = explained;
  by("title").textContent = made.title || "Untitled page";
  by("kept").replaceChildren(make("b", {}, `${stats.blocks_kept} of ${stats.blocks}`), " blocks and ",
    make("b", {}, `${stats.sentences_kept} of ${stats.sentences}`), " sentences kept");
  const [type, likely] = Object.entries(explained.page_types).sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  const facts = {
    "Page type": type ? `${type} ${likely.toFixed(2)}` : made.page_type,
    Confidence: (stats.confidence ?? made.confidence)?.toFixed?.(2),
    Language: made.language, Author: made.author, Published: made.published_at, Site: made.site_name,
    Canonical: made.canonical_url, Description: made.description, Modified: made.modified_at,
    Section: made.section, Tags: made.tags?.join?.(", "), Licence: made.licence,
    "Text from": made.text_source === "page" ? "" : made.text_source,
    Charset: stats.charset, Threshold: figureOf(made.threshold),
    "CPU by stage": STAGES.filter((stage) => stage in stats.cpu_ms).map((stage) => `${stage} ${stats.cpu_ms[stage].toFixed(1)}`).join(" · "),
  };
  by("facts").replaceChildren(...Object.entries(facts).filter(([, value]) => value).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, value))));
  blocks.show(by("blocks"), explained);
  by("left-out").hidden = !blocks.isCut();
  by("left-out").textContent = `${explained.blocks_left_out.toLocaleString("en")} more blocks and ${explained.sentences_left_out.toLocaleString("en")} more sentences are not shown.`;
  slide();
}

const figureOf = (threshold) => (Math.abs(threshold) >= 1000 ? figure(threshold) : String(Number(threshold.toFixed(3))));

async function showResult() {
  for (const name of TABS) {
    const tab = by(`tab-${name}`);
    const isChosen = name === state.tab;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  by("result").setAttribute("aria-labelledby", `tab-${state.tab}`);
  if (!explained) return;
  by("result").replaceChildren(...(await resultOf(state.tab)));
}

async function resultOf(tab) {
  const { document: made } = explained;
  const isPublished = isEmpty();
  if (tab === "json") return [make("div", { className: "raw" }, JSON.stringify(made, null, 2))];
  if (tab === "diff") {
    if (isPublished) return [empty("Its page is missing, so nothing can be compared.")];
    if (!state.compare) return [empty("Choose under “Compare with” what to compare with.")];
    const [engine, ...pairs] = state.compare.split(" ");
    const over = Object.fromEntries(pairs.map((pair) => pair.split("=")));
    const other = await ask("api/clean", asked({ engine, ...over, format: "text" }));
    const mine = await ask("api/clean", asked({ format: "text" }));
    return diff.shown(mine.document.text, other.document.text, state.engine, state.compare);
  }
  if (!made.text) return [empty("Nothing of this page is worth keeping.")];
  if (tab === "text") return screens(made.text);
  if (isPublished) return tab === "markdown" ? [make("div", { className: "raw" }, made.text)] : rendered(made.text);
  const { document: marked } = await ask("api/clean", asked({ format: "markdown" }));
  return tab === "markdown" ? [make("div", { className: "raw" }, marked.text)] : rendered(marked.text);
}

// The paragraphs of a text, in groups of some screens: groups off the screen are not laid out.
function screens(text) {
  const made = [];
  let chars = SCREEN_CHARS;
  for (const part of text.split("\n\n")) {
    if (chars >= SCREEN_CHARS) chars = made.push(make("div", { className: "screen" })) && 0;
    chars += part.length;
    made.at(-1).append(make("p", { className: "plain", dir: "auto" }, part));
  }
  return made;
}

const empty = (text) => make("p", { className: "empty" }, text);

function view() {
  const form = by("view-form");
  form.elements.page.value = JSON.stringify(state.page);
  form.submit();
}

function slide() {
  const { least, most, step, is_logarithmic: isLogarithmic } = choices.engines[state.engine];
  Object.assign(by("threshold"), { min: least, max: most, step });
  const threshold = state.threshold ?? explained?.document.threshold ?? 0;
  by("threshold").value = isLogarithmic ? Math.log10(Math.max(1, threshold)) : threshold;
  by("automatic").checked = state.threshold === null;
  by("threshold-value").textContent = figureOf(threshold);
  by("threshold").setAttribute("aria-valuetext", figureOf(threshold));
}

let remembering;
function rememberSoon() {
  clearTimeout(remembering);
  remembering = setTimeout(remember, REMEMBER_MS);
}

// One address at a time, so that an older one never replaces a newer one.
let remembered = Promise.resolve();
function remember() {
  remembered = remembered.then(writeAddress, writeAddress);
  return remembered;
}

async function writeAddress() {
  const [fragment, isWhole] = await link.written(state);
  history.replaceState(null, "", fragment);
  by("share").title = isWhole ? "" : "The page is too large for a link, which holds only the options";
}

function take(page, place = "") {
  Object.assign(state, { page, place });
  by("sample").value = page.sample ?? "";
  decide();
}

// A published document without its page, so there are no blocks.
async function publish({ document: made, stats }, place) {
  Object.assign(state, { page: {}, place });
  seenPage = null;
  by("sample").value = "";
  by("html").value = "";
  by("view").src = "about:blank";
  // untrusted: others can write to the topic, so it may not match its schema
  const whole = { ...made, text: String(made.text ?? ""), threshold: Number(made.threshold) || 0 };
  explained = { document: whole, stats: { ...stats, cpu_ms: {} }, blocks: [], page_types: {}, blocks_left_out: 0, sentences_left_out: 0 };
  show();
  histogram.show();
  by("kept").textContent = "A document as it was published; its page is not here, so its blocks are not shown.";
  await showResult();
  remember();
}

async function takeFile(file) {
  if (!file) return;
  by("html").value = "";
  take({ body: base64(new Uint8Array(await file.arrayBuffer())) });
}

function optionFields() {
  const made = [];
  for (const [name, option] of Object.entries(choices.options)) {
    if (["threshold", "format"].includes(name)) continue;
    const start = state.options[name] ?? choices.defaults[name];
    if (option.choices) {
      const select = make("select", { name }, ...option.choices.map((value) => new Option(value, value, false, value === start)));
      made.push(make("label", {}, make("span", {}, name), select));
    } else if (typeof option.default === "boolean") {
      made.push(make("label", { className: "check" }, make("input", { type: "checkbox", name, checked: String(start) === "true" }), make("span", {}, name)));
    }
  }
  by("options").replaceChildren(...made);
}

// Each engine with each value of its own options that is not the default.
function others() {
  return Object.entries(choices.engines).flatMap(([engine, { own_options: own }]) =>
    own.flatMap((name) => (choices.options[name]?.choices ?? [])
      .filter((value) => value !== choices.options[name].default).map((value) => `${engine} ${name}=${value}`)));
}

function fit() {
  const { unknown } = choices.engines[state.engine];
  for (const select of by("options").querySelectorAll("select")) select.disabled = unknown.includes(select.name);
}

function listen() {
  by("controls").addEventListener("submit", (event) => event.preventDefault());
  by("sample").addEventListener("change", (event) => event.target.value && take({ sample: event.target.value }));
  by("html").addEventListener("input", (event) => take({ html: event.target.value }));
  by("file").addEventListener("change", (event) => takeFile(event.target.files[0]));
  by("engine").addEventListener("change", (event) => {
    Object.assign(state, { engine: event.target.value, threshold: null });
    fit();
    slide();
    decide();
  });
  by("threshold").addEventListener("input", (event) => {
    const value = Number(event.target.value);
    state.threshold = choices.engines[state.engine].is_logarithmic ? Math.round(10 ** value) : value;
    slide();
    decide();
  });
  by("automatic").addEventListener("change", (event) => {
    state.threshold = event.target.checked ? null : (explained?.document.threshold ?? 0);
    decide();
  });
  by("options").addEventListener("change", ({ target }) => {
    state.options[target.name] = target.type === "checkbox" ? target.checked : target.value;
    decide();
  });
  by("compare").addEventListener("change", (event) => {
    state.compare = event.target.value;
    choose(state.compare ? "diff" : "text");
  });
  by("tabs").addEventListener("click", (event) => event.target.role === "tab" && choose(event.target.id.slice(4)));
  by("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    choose(TABS[(TABS.indexOf(state.tab) + step + TABS.length) % TABS.length]);
    by(`tab-${state.tab}`).focus();
  });
  by("share").addEventListener("click", async () => {
    await remember();
    const outcome = await navigator.clipboard.writeText(location.href).then(() => "Link copied", () => "The link is in the address bar");
    // a new answer shows its time, and would replace this message too early
    await deciding;
    afterPaint("copied", () => say(outcome));
  });
  addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
  addEventListener("dragleave", (event) => event.relatedTarget || document.body.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    takeFile(event.dataTransfer.files[0]);
  });
  addEventListener("hashchange", start);
  blocks.listen(by("blocks"), { decide, why: (block) => ask("api/why", { ...asked(), block }) });
}

async function choose(tab) {
  state.tab = tab;
  try {
    await showResult();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
  }
  remember();
}

async function start() {
  const linked = await link.read(location.hash).catch(() => ({ options: {}, page: {} }));
  Object.assign(state, { engine: choices.defaults.engine, threshold: choices.defaults.threshold, compare: "", tab: "text", place: "" }, linked);
  if (!(state.engine in choices.engines)) state.engine = choices.defaults.engine;
  if (!TABS.includes(state.tab)) state.tab = "text";
  for (const name of Object.keys(state.options)) if (!(name in choices.options)) delete state.options[name];
  if (isEmpty()) state.page = { sample: "article.html" };
  by("engine").value = state.engine;
  by("compare").value = state.compare;
  by("sample").value = state.page.sample ?? "";
  by("html").value = state.page.html ?? "";
  optionFields();
  fit();
  slide();
  if (state.place && (await lookup.follow(state.place))) return;
  await decide();
}

async function open() {
  const [options, samples] = await Promise.all([ask("api/options"), ask("api/samples")]);
  choices = options;
  blocks.limit(options.most_blocks);
  by("fold").open = matchMedia("(min-width: 48rem)").matches;
  by("sample").append(...samples.samples.map(({ name }) => new Option(name, name)));
  by("engine").append(...Object.keys(options.engines).map((name) => new Option(name, name)));
  by("compare").append(...Object.keys(options.engines).concat(others()).map((name) => new Option(name, name)));
  listen();
  await lookup.open(take, publish, say);
  await start();
}

open();
