// The latest documents of the topics: share kept by host and page type, doubtful ones first.

import { Refused, ask } from "./api.js";
import { by, make } from "./dom.js";

let listing = { documents: [], hosts: [], page_types: [] };

const share = (value) => (value === null ? "–" : `${Math.round(value * 100)} %`);
const confidence = (value) => (value === null ? "–" : value.toFixed(2));

function bar(value) {
  const cell = make("td", { className: "share" }, share(value));
  if (value !== null) cell.style.setProperty("--share", value);
  return cell;
}

function table(heads, rows) {
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows));
}

function group(name, rows) {
  const made = rows.map((each) => {
    const choose = make("button", { type: "button", className: "plain", dir: "auto" }, each.name);
    choose.addEventListener("click", () => { by("filter").value = each.name; show(); });
    return make("tr", {}, make("td", { className: "host" }, choose), make("td", { className: "number" }, each.documents.toLocaleString("en")),
      bar(each.kept), make("td", { className: "number" }, confidence(each.confidence)));
  });
  return table([name, "documents", "kept", "confidence"], made);
}

function row(each) {
  const link = make("a", { href: `./#place=${each.place}`, dir: "auto", title: each.url }, each.title || each.url || each.place);
  return make("tr", {}, make("td", { className: "number" }, confidence(each.confidence)), bar(each.kept),
    make("td", { className: "title" }, link), make("td", {}, each.page_type), make("td", { className: "host", dir: "auto" }, each.host));
}

function show() {
  const words = by("filter").value.trim().toLowerCase();
  const chosen = listing.documents.filter((each) => !words || [each.host, each.page_type, each.title].some((text) => text.toLowerCase().includes(words)));
  by("types").replaceChildren(group("page type", listing.page_types));
  by("hosts").replaceChildren(group("host", listing.hosts));
  by("documents").replaceChildren(chosen.length
    ? table(["confidence", "kept", "title", "page type", "host"], chosen.map(row))
    : make("p", { className: "note" }, listing.documents.length ? "No document matches." : "The topic holds no documents yet."));
}

async function read() {
  by("status").textContent = "Reading ...";
  by("status").className = "";
  try {
    listing = await ask("api/recent", { last: Number(by("last").value) });
    by("status").textContent = `${listing.documents.length.toLocaleString("en")} documents`;
    show();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    by("status").textContent = error.message;
    by("status").className = "error";
  }
}

by("controls").addEventListener("submit", (event) => event.preventDefault());
by("filter").addEventListener("input", show);
by("last").addEventListener("change", read);
by("again").addEventListener("click", read);
read();
