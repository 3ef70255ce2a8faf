// The blocks of a page: shaded by probability, struck out if dropped, sentences on demand.

import { Refused, ask } from "./api.js";
import { by, figure, make, slicer } from "./dom.js";

// Blocks are requested and drawn only as far as the user scrolls: each costs time per answer.
const STEP = 100;
const MOST_WEIGHED = 12;
const MOST_CHARS = 80;
const rows = [];
let [most, wantedMost] = [Infinity, STEP];
let all = { blocks: [], left: 0 };
let askFor;

export const limit = (blocks) => { most = blocks; };
export const wanted = () => Math.min(wantedMost, most);
export const restart = () => { wantedMost = STEP; };
// Whether the page has more blocks than can be shown.
export const isCut = () => all.left > 0 && (wantedMost >= most || all.blocks.length < wantedMost);

export function show(list, explained) {
  const { blocks } = explained;
  all = { blocks, left: explained.blocks_left_out };
  if (rows.length > blocks.length || rows.some((row, at) => row.block.text !== blocks[at].text)) {
    rows.length = 0;
    list.replaceChildren();
  }
  const made = blocks.slice(rows.length).map(rowOf);
  rows.push(...made);
  list.append(...made.map((row) => row.item));
  if (rows.length && !rows.some((row) => row.button.tabIndex === 0)) rows[0].button.tabIndex = 0;
  const tables = tablesOf(explained.units ?? []);
  rows.forEach((row, at) => judge(row, blocks[at], explained.stats.model_language || "en", tables.get(at)));
  by("more").hidden = !all.left || isCut();
  by("more").textContent = `Show ${Math.min(STEP, all.left).toLocaleString("en")} of ${all.left.toLocaleString("en")} more blocks`;
}

// The outermost data table around each block: it is kept or dropped as a whole.
function tablesOf(units) {
  const tables = new Map();
  for (const unit of units.filter((each) => each.kind === "table")) {
    for (let at = unit.first; at < unit.end; at++) if (!tables.has(at)) tables.set(at, unit);
  }
  return tables;
}

// A request during another request waits for its answer.
let growing = null;
async function more() {
  if (!growing && all.left && !isCut()) {
    wantedMost += STEP;
    growing = askFor.decide().finally(() => { growing = null; });
  }
  await growing;
}

// Tab reaches one block; the arrow keys lead to the others.
export function listen(list, asking) {
  askFor = asking;
  list.addEventListener("keydown", async (event) => {
    const at = rows.findIndex((row) => row.button === event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    if (to === rows.length) await more();
    if (rows[to]) focus(rows[to]);
  });
  list.addEventListener("focusin", (event) => {
    const row = rows.find((each) => each.button === event.target);
    if (row) alone(row);
  });
  list.addEventListener("scroll", () => {
    if (list.scrollTop + 2 * list.clientHeight > list.scrollHeight) more();
  }, { passive: true });
  by("more").addEventListener("click", async () => {
    const at = rows.length;
    await more();
    if (rows[at]) focus(rows[at]);
  });
}

function focus(row) {
  alone(row);
  row.button.focus();
  row.item.scrollIntoView({ block: "nearest" });
}

function alone(row) {
  for (const other of rows) if (other.button.tabIndex === 0) other.button.tabIndex = -1;
  row.button.tabIndex = 0;
}

function rowOf(block) {
  const [likely, verdict, reason] = [new Text(), new Text(), new Text()];
  const text = make("span", { className: "text", dir: "auto" }, block.text);
  const button = make("button", { type: "button", tabIndex: -1, "aria-expanded": "false" },
    make("span", { className: "likely" }, likely), text,
    make("span", { className: "hidden" }, verdict), make("span", { className: "reason" }, reason));
  const item = make("li", { className: "block" }, button);
  const row = { block, item, button, likely, verdict, reason, strength: "", language: "en", sentences: null, weighed: null };
  button.addEventListener("click", () => toggle(row));
  return row;
}

// Dragging the threshold judges thousands of rows again: unchanged rows are not touched.
function judge(row, block, language, table) {
  row.block = block;
  row.language = language;
  const isKept = block.kept > 0;
  const kept = block.probability ?? (isKept ? 1 : 0);
  const place = table ? ` in-unit${table.first === block.order ? " first" : ""}${table.end === block.order + 1 ? " last" : ""}` : "";
  const name = `block ${block.kind} ${isKept ? "kept" : "dropped"}${place}`;
  const strength = (isKept ? kept : 1 - kept).toFixed(2);
  if (row.item.className !== name) row.item.className = name;
  if (row.strength !== strength) row.item.style.setProperty("--strength", (row.strength = strength));
  say(row.likely, block.probability === null ? "" : block.probability.toFixed(2));
  say(row.verdict, ` — ${isKept ? "kept" : `dropped as ${block.verdict ?? "without words"}`}. `);
  const whole = table && `table of ${table.members.length} rows: ${isKept ? "kept" : "dropped"} as a whole`;
  say(row.reason, whole ?? `${block.kind.replace("_", " ")}: ${block.reason}`);
  if (row.sentences) open(row);
}

function say(text, words) {
  if (text.data !== words) text.data = words;
}

function toggle(row) {
  if (row.sentences) {
    row.sentences.remove();
    row.sentences = null;
    row.button.setAttribute("aria-expanded", "false");
  } else open(row);
}

function open(row) {
  row.sentences?.remove();
  const slice = slicer(row.block.text);
  const items = row.block.sentences.map((sentence) => sentenceOf(row, sentence, slice(sentence.start, sentence.end)));
  const list = make("ol", { className: "sentences", "aria-label": "Sentences with perplexity" }, ...items);
  row.sentences = make("div", {}, list);
  if (row.block.probability !== null) row.sentences.append(weighedIn(row));
  row.item.append(row.sentences);
  row.button.setAttribute("aria-expanded", "true");
}

function sentenceOf(row, sentence, text) {
  const name = `Perplexity ${figure(sentence.perplexity)}: show the tokens`;
  const button = make("button", { type: "button", title: name, "aria-label": name, "aria-expanded": "false" }, figure(sentence.perplexity));
  const words = make("span", { className: "words", dir: "auto" }, text);
  const item = make("li", { className: sentence.verdict === "kept" ? "" : "gone" }, button, words);
  button.addEventListener("click", () => tokens(item, button, text, row.language));
  return item;
}

// Measured on demand: the page is judged again without each feature of the block.
function weighedIn(row) {
  const { block, weighed } = row;
  if (weighed?.probability === block.probability) return weights(weighed.influences);
  const button = make("button", { type: "button", className: "why" }, "What weighed most?");
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = "Judging the page again without each feature …";
    try {
      const { influences } = await askFor.why(block.order);
      row.weighed = { probability: block.probability, influences };
      const shown = weights(influences);
      button.replaceWith(shown);
      shown.focus();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      button.replaceWith(make("p", { className: "note error", role: "status" }, error.message));
    }
  });
  return button;
}

function weights(influences) {
  const items = influences.slice(0, MOST_WEIGHED).map(({ kind, name, log_odds: odds }) =>
    make("li", { className: odds > 0 ? "for" : "against" },
      make("b", {}, `${odds > 0 ? "+" : "−"}${Math.abs(odds).toFixed(2)}`),
      make("span", {}, kind), kind === "block" ? other(name) : make("q", { dir: "auto" }, name)));
  const words = items.length ? "What weighed most: how much lower (+) or higher (−) the log-odds of content are without it" : "Nothing weighed: without any single feature, the verdict is the same";
  return make("div", { className: "weights", tabIndex: -1, role: "group", "aria-label": "What weighed most" },
    make("p", {}, `${words}.`), make("ol", {}, ...items));
}

// Another block of the page is a link to it, if it is drawn.
function other(number) {
  const row = rows[number];
  if (!row) return make("span", {}, `block ${number}`);
  const { text } = row.block;
  const link = make("button", { type: "button", className: "plain", dir: "auto" }, text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text);
  link.addEventListener("click", () => focus(row));
  return link;
}

async function tokens(item, button, text, language) {
  const shown = item.querySelector(".tokens");
  button.setAttribute("aria-expanded", String(!shown));
  if (shown) return shown.remove();
  const scored = await ask("api/score", { text, language, explain: true });
  const views = scored.explained.flat().map((token) => {
    const hit = token.order ? `${token.order}-gram` : "unknown";
    const view = make("span", { className: token.order ? "token" : "token oov", role: "listitem" },
      make("span", { dir: "auto" }, token.text), make("small", {}, `${hit} ${token.log2_prob.toFixed(1)}`));
    view.style.setProperty("--surprise", Math.min(1, -token.log2_prob / 24));
    return view;
  });
  item.append(make("div", { className: "tokens", role: "list", "aria-label": "Tokens: n-gram used and log2 P" }, ...views));
}
