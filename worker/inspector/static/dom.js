// Elements without markup in strings: texts of pages are never parsed here.

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

// Spans count characters as Unicode does; strings here count halves of some.
export function slicer(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (start, end) => text.slice(start, end);
  const characters = Array.from(text);
  return (start, end) => characters.slice(start, end).join("");
}

// What can wait until the answer is on the screen; of each kind only the last is done.
const waiting = new Map();
export function afterPaint(kind, work) {
  if (!waiting.size) requestAnimationFrame(() => setTimeout(() => {
    const works = [...waiting.values()];
    waiting.clear();
    for (const each of works) each();
  }));
  waiting.set(kind, work);
}
