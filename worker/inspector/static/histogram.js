// A histogram of sentence perplexities, kept and dropped, on a logarithmic scale.

import { by, figure, make } from "./dom.js";

const [WIDTH, HEIGHT] = [640, 170];

// Without counts there is no figure.
export function show(counts, made) {
  const sentences = counts ? sum(counts.kept) + sum(counts.dropped) : 0;
  by("histogram-figure").hidden = !sentences;
  if (!sentences) return;
  const { kept, dropped, decades } = counts;
  const most = Math.max(...kept.map((each, at) => each + dropped[at]));
  const step = WIDTH / kept.length;
  const bars = kept.flatMap((each, at) => {
    const high = (each / most) * (HEIGHT - 8);
    const higher = (dropped[at] / most) * (HEIGHT - 8);
    return [bar("keep", at * step, HEIGHT - high, step, high), bar("drop", at * step, HEIGHT - high - higher, step, higher)];
  });
  if (made.engine === "perplexity") bars.push(line((Math.log10(made.threshold) / decades) * WIDTH));
  by("histogram").replaceChildren(...bars);
  by("histogram-words").textContent = `${sentences.toLocaleString("en")} sentences, ${sum(kept).toLocaleString("en")} kept; ${half(counts, sentences)}.`;
  by("histogram-axis").replaceChildren(...Array.from({ length: decades + 1 }, (_, power) =>
    make("span", {}, (10 ** power).toLocaleString("en", { notation: "compact" }))));
}

const sum = (counts) => counts.reduce((all, each) => all + each, 0);

function half({ kept, dropped, decades }, sentences) {
  let below = 0;
  const at = kept.findIndex((each, bar) => (below += each + dropped[bar]) * 2 >= sentences);
  return `half have a perplexity below ${figure(10 ** (((at + 1) * decades) / kept.length))}`;
}

const drawn = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const bar = (kind, x, y, width, height) => drawn("rect", { class: kind, x: x + 1, y, width: width - 2, height });
const line = (x) => drawn("line", { x1: x, x2: x, y1: 0, y2: HEIGHT });
