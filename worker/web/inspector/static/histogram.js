// How many sentences have which perplexity, kept and dropped, on a scale of powers of ten.

import { by, figure } from "./dom.js";

const BARS = 40;
const MOST_DECADES = 7;
const [WIDTH, HEIGHT] = [640, 170];

export function show(told) {
  const sentences = told.blocks.flatMap((block) => block.sentences).filter((each) => each.perplexity > 0);
  by("histogram-figure").hidden = !sentences.length;
  if (!sentences.length) return;
  const counts = Array.from({ length: BARS }, () => [0, 0]);
  for (const each of sentences) {
    const at = Math.min(BARS - 1, Math.floor((Math.log10(each.perplexity) / MOST_DECADES) * BARS));
    counts[at][each.verdict === "kept" ? 0 : 1]++;
  }
  const most = Math.max(...counts.map(([kept, dropped]) => kept + dropped));
  const step = WIDTH / BARS;
  const bars = counts.flatMap(([kept, dropped], at) => {
    const high = (kept / most) * (HEIGHT - 8);
    const higher = (dropped / most) * (HEIGHT - 8);
    return [bar("keep", at * step, HEIGHT - high, step, high), bar("drop", at * step, HEIGHT - high - higher, step, higher)];
  });
  if (told.document.engine === "perplexity") bars.push(line((Math.log10(told.document.threshold) / MOST_DECADES) * WIDTH));
  by("histogram").replaceChildren(...bars);
  const sorted = sentences.map((each) => each.perplexity).sort((a, b) => a - b);
  const kept = sentences.filter((each) => each.verdict === "kept").length;
  by("histogram-words").textContent = `${sentences.length} sentences, ${kept} kept; half have a perplexity below ${figure(sorted[sorted.length >> 1])}.`;
  by("histogram-axis").replaceChildren(...Array.from({ length: MOST_DECADES + 1 }, (_, power) =>
    Object.assign(document.createElement("span"), { textContent: (10 ** power).toLocaleString("en", { notation: "compact" }) })));
}

const drawn = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const bar = (kind, x, y, width, height) => drawn("rect", { class: kind, x: x + 1, y, width: width - 2, height });
const line = (x) => drawn("line", { x1: x, x2: x, y1: 0, y2: HEIGHT });
