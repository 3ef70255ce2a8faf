// Creates elements without markup strings: texts of pages are never parsed as markup.

export const by = (id) => document.getElementById(id);

export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export const figure = (number) =>
  number >= 1000 ? Math.round(number).toLocaleString("en") : number.toPrecision(3);

// Spans count Unicode characters; JavaScript strings count UTF-16 code units.
export function slicer(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (start, end) => text.slice(start, end);
  const characters = Array.from(text);
  return (start, end) => characters.slice(start, end).join("");
}

// Work that can wait until the answer is on the screen; only the last of each kind is done.
const waiting = new Map();
export function afterPaint(kind, work) {
  if (!waiting.size) requestAnimationFrame(() => setTimeout(() => {
    const works = [...waiting.values()];
    waiting.clear();
    for (const each of works) each();
  }));
  waiting.set(kind, work);
}
