// Winnow's Markdown -> elements. Links are not active: the target is shown as a title.

import { make } from "./dom.js";

export function rendered(source) {
  const lines = source.split("\n");
  const made = [];
  let at = 0;
  const run = (test) => {
    const found = [];
    while (at < lines.length && test(lines[at])) found.push(lines[at++]);
    return found;
  };
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6}) (.*)/.exec(line);
    const fence = /^(`{3,}|~{3,})/.exec(line);
    if (!line.trim()) at++;
    else if (fence) {
      at++;
      const code = run((each) => !each.startsWith(fence[1]));
      at++;
      made.push(make("pre", {}, code.join("\n")));
    } else if (heading) {
      at++;
      made.push(make(`h${Math.min(6, heading[1].length + 2)}`, {}, ...inline(heading[2])));
    } else if (line.startsWith(">")) {
      made.push(make("blockquote", {}, ...rendered(run((each) => each.startsWith(">")).map((each) => each.replace(/^> ?/, "")).join("\n"))));
    } else if (line.startsWith("|")) made.push(table(run((each) => each.startsWith("|"))));
    else if (ITEM.test(line)) made.push(list(run((each) => ITEM.test(each) || /^\s+\S/.test(each))));
    else made.push(make("p", {}, ...inline(run((each) => each.trim() && !/^(#{1,6} |>|\||`{3}|~{3})/.test(each) && !ITEM.test(each)).join("\n"))));
  }
  return made;
}

const ITEM = /^(\s*)([-*+]|\d+[.)]) (.*)/;

function list(lines) {
  const isNumbered = /^\s*\d/.test(lines[0]);
  const top = make(isNumbered ? "ol" : "ul");
  const open = [{ indent: ITEM.exec(lines[0])[1].length, element: top }];
  for (const line of lines) {
    const item = ITEM.exec(line);
    const last = open.at(-1).element.lastElementChild;
    if (!item) {
      last?.append(" ", ...inline(line.trim()));
      continue;
    }
    const indent = item[1].length;
    while (open.length > 1 && indent < open.at(-1).indent) open.pop();
    if (indent > open.at(-1).indent && last) {
      const element = make(/\d/.test(item[2]) ? "ol" : "ul");
      last.append(element);
      open.push({ indent, element });
    }
    open.at(-1).element.append(make("li", {}, ...inline(item[3])));
  }
  return top;
}

function table(lines) {
  const rows = lines.map((line) => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim()));
  const isHeaded = rows.length > 1 && rows[1].every((cell) => /^:?-+:?$/.test(cell));
  const body = rows.filter((_, at) => !(isHeaded && at === 1));
  return make("table", {}, make("tbody", {}, ...body.map((row, at) =>
    make("tr", {}, ...row.map((cell) => make(isHeaded && at === 0 ? "th" : "td", {}, ...inline(cell)))))));
}

const MARK = /\\([\\`*_{}[\]()#+\-.!|<>~&])|(`+)(.+?)\2|\*\*(.+?)\*\*|\*(.+?)\*|\[([^\]]*)\]\(([^)\s]*)[^)]*\)|\n/;

function inline(text) {
  const made = [];
  let rest = text;
  for (let found = MARK.exec(rest); found; found = MARK.exec(rest)) {
    made.push(rest.slice(0, found.index));
    const [all, escaped, , code, strong, emphasis, name, target] = found;
    if (escaped) made.push(escaped);
    else if (code) made.push(make("code", {}, code));
    else if (strong) made.push(make("strong", {}, strong));
    else if (emphasis) made.push(make("em", {}, emphasis));
    else if (name !== undefined) made.push(make("u", { title: target }, name));
    else made.push(make("br"));
    rest = rest.slice(found.index + all.length);
  }
  made.push(rest);
  return made.filter((each) => each !== "");
}
