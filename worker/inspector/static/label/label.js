// Blocks of a page, marked by click or key; the server saves every change before it answers.

import { ask } from "./api.js";
import { by, make } from "./dom.js";

let roles = [];
let pages = [];
let shown = null;
let at = 0;
let asked = Promise.resolve();

function say(text, isError = false) {
  by("status").textContent = text;
  by("status").classList.toggle("error", isError);
}

// One request after another: a change is shown when it is saved.
function soon(work) {
  asked = asked.then(work).catch((error) => say(error.message, true));
  return asked;
}

const row = (order) => by("blocks").children[order];
const disagrees = (block) => block.content !== block.kept;
const optionOf = (page) =>
  `${page.changes || page.reason ? "✓ " : ""}${page.f1.toFixed(2)}  ${page.name}`;

function summary() {
  const blocks = shown.blocks;
  by("name").textContent = shown.name;
  by("figures").textContent =
    `F ${shown.f1.toFixed(3)} · ${blocks.length} blocks · ` +
    `${blocks.filter((block) => block.content).length} content · ` +
    `${blocks.filter(disagrees).length} on which the engine disagrees · ${shown.changes} changed`;
  by("page").options[shown.at].textContent = optionOf(shown);
  by("before").disabled = shown.at === 0;
  by("after").disabled = shown.at === pages.length - 1;
}

function fill(item, block, order) {
  item.className = `${block.content ? "content" : ""} ${disagrees(block) ? "differs" : ""} ${block.changed ? "changed" : ""}`;
  const mark = item.firstChild;
  mark.setAttribute("aria-pressed", String(block.content));
  const [number, text, notes] = mark.children;
  number.textContent = disagrees(block) ? `${order} ≠` : String(order);
  number.title = disagrees(block) ? "the engine disagrees" : "";
  text.textContent = block.text;
  notes.textContent = [
    block.gold === "part" ? "gold has a part" : "",
    block.changed ? "changed" : "",
  ].filter(Boolean).join(" · ");
  item.lastChild.value = block.role;
}

function made(block, order) {
  const mark = make(
    "button",
    { type: "button", tabIndex: order === at ? 0 : -1 },
    make("span", { className: "number" }),
    make("span", { className: "text", dir: "auto" }),
    make("span", { className: "notes" }),
  );
  const role = make(
    "select",
    { tabIndex: -1, ariaLabel: `Role of block ${order}` },
    ...roles.map((name) => make("option", { value: name, textContent: name })),
  );
  mark.addEventListener("click", () => {
    focus(order);
    change(order, { content: !shown.blocks[order].content });
  });
  mark.addEventListener("focus", () => choose(order));
  role.addEventListener("change", () => change(order, { role: role.value }));
  const item = make("li", {}, mark, role);
  fill(item, block, order);
  return item;
}

function choose(order) {
  if (row(at)) row(at).firstChild.tabIndex = -1;
  at = order;
  row(at).firstChild.tabIndex = 0;
}

function focus(order) {
  const item = row(Math.max(0, Math.min(order, shown.blocks.length - 1)));
  if (!item) return;
  item.firstChild.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function update(page) {
  const isOther = !shown || shown.at !== page.at;
  const before = shown;
  shown = page;
  if (isOther) {
    at = 0;
    by("blocks").replaceChildren(...page.blocks.map(made));
    const form = by("view-form");
    form.elements.page.value = JSON.stringify({ page: page.at });
    form.submit();
    by("page").selectedIndex = page.at;
    location.hash = String(page.at);
  } else {
    page.blocks.forEach((block, order) => {
      if (JSON.stringify(block) !== JSON.stringify(before.blocks[order])) {
        fill(row(order), block, order);
      }
    });
  }
  if (isOther || document.activeElement !== by("reason")) by("reason").value = page.reason;
  summary();
  return isOther;
}

function change(order, fields) {
  const page = shown.at;
  return soon(async () => {
    update(await ask("api/mark", { page, block: order, ...fields }));
    say("saved");
  });
}

function open(page) {
  if (page < 0 || page >= pages.length) return;
  soon(async () => {
    if (update(await ask("api/page", { page }))) focus(0);
    say("");
  });
}

function step(path) {
  soon(async () => {
    const page = await ask(path, {});
    if (page.at === null) {
      say(path.endsWith("undo") ? "nothing to undo" : "nothing to redo");
      return;
    }
    if (update(page)) focus(0);
    say(path.endsWith("undo") ? "undone" : "done again");
  });
}

function giveReason() {
  const page = shown.at;
  const reason = by("reason").value;
  if (reason === shown.reason) return;
  soon(async () => {
    const changed = await ask("api/reason", { page, reason });
    if (shown.at === page) update(changed);
    else by("page").options[page].textContent = optionOf(changed);
    say("saved");
  });
}

function nextDifference() {
  const order = shown.blocks.findIndex((block, each) => each > at && disagrees(block));
  if (order >= 0) focus(order);
  else say("the engine agrees from here on");
}

const KEYS = {
  ArrowDown: () => focus(at + 1),
  ArrowUp: () => focus(at - 1),
  j: () => focus(at + 1),
  k: () => focus(at - 1),
  d: nextDifference,
  c: () => { change(at, { content: true }); focus(at + 1); },
  x: () => { change(at, { content: false }); focus(at + 1); },
  n: () => open(shown.at + 1),
  p: () => open(shown.at - 1),
  u: () => step("api/undo"),
  r: () => step("api/redo"),
  e: () => by("reason").focus(),
};

by("blocks").addEventListener("keydown", (event) => {
  if (event.target.tagName !== "BUTTON" || event.ctrlKey || event.metaKey || event.altKey) return;
  const role = roles[Number(event.key) - 1];
  const act = KEYS[event.key] ?? (role && (() => change(at, { role })));
  if (!act) return;
  event.preventDefault();
  act();
});
by("reason").addEventListener("input", () => say("not saved yet"));
by("reason").addEventListener("change", giveReason);
by("reason").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  giveReason();
  focus(at);
});
by("before").addEventListener("click", () => open(shown.at - 1));
by("after").addEventListener("click", () => open(shown.at + 1));
by("undo").addEventListener("click", () => step("api/undo"));
by("redo").addEventListener("click", () => step("api/redo"));
by("page").addEventListener("change", () => open(by("page").selectedIndex));

soon(async () => {
  ({ roles, pages } = await ask("api/pages", {}));
  by("roles").textContent = roles.join(", ");
  by("page").replaceChildren(...pages.map((page) => make("option", { textContent: optionOf(page) })));
  if (!pages.length) {
    say("no pages: the sets have none of this part");
    return;
  }
  const last = Number(location.hash.slice(1));
  open(last < pages.length ? last : 0);
});
