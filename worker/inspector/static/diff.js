// Lines of two texts, matched by their longest common subsequence.

import { make } from "./dom.js";

const MOST_CELLS = 16e6;

export function changes(left, right) {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const a = left.slice(start, left.length - end);
  const b = right.slice(start, right.length - end);
  const same = (lines) => lines.map((line) => ["same", line]);
  return [...same(left.slice(0, start)), ...middle(a, b), ...same(left.slice(left.length - end))];
}

function middle(a, b) {
  if (a.length * b.length > MOST_CELLS) return [...a.map((line) => ["del", line]), ...b.map((line) => ["ins", line])];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const found = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { found.push(["same", a[i]]); i++; j++; }
    else if (j >= b.length || (i < a.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) found.push(["del", a[i++]]);
    else found.push(["ins", b[j++]]);
  }
  return found;
}

export function shown(left, right, leftName, rightName) {
  const lines = (text) => text.split("\n").filter((line) => line.trim());
  const names = { del: `only ${leftName}: `, ins: `only ${rightName}: ` };
  const signs = { del: "−", ins: "+" };
  const items = changes(lines(left), lines(right)).map(([what, line]) =>
    make("li", { className: what }, ...(what === "same" ? [make("span", {}, line)] : [
      make("b", { "aria-hidden": "true" }, signs[what]), make("span", { className: "hidden" }, names[what]), make(what, { dir: "auto" }, line)])));
  const key = make("p", { className: "legend" }, make("span", { className: "key drop" }, `only ${leftName}`), " ",
    make("span", { className: "key keep" }, `only ${rightName}`));
  return [key, make("ul", { className: "diff" }, ...items)];
}
