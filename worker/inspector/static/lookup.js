// Look-ups of pages and documents in the sources that are enabled.

import { Refused, ask } from "./api.js";
import { by, make } from "./dom.js";

const NAMES = { cache: "cache", pages: "pages topic", documents: "documents topic", dead: "dead letters", archive: "archive" };
let next = null;
let find = null;

// The fields of a place, by kind of source.
function fit() {
  const source = by("lookup-source").value;
  by("lookup-url-field").hidden = source !== "cache";
  by("lookup-archive-field").hidden = source !== "archive";
  by("lookup-place-field").hidden = source === "cache";
  by("lookup-place-label").textContent = source === "archive" ? "From byte" : "Partition/offset";
  by("lookup-place").placeholder = source === "archive" ? "0" : "0/17";
  by("lookup-next").hidden = source !== "archive" || !next;
}

function asked() {
  const source = by("lookup-source").value;
  if (source === "cache") return { source, url: by("lookup-url").value.trim() };
  const numbers = by("lookup-place").value.split("/").map((each) => each.trim());
  if (!numbers.every((each) => /^\d*$/.test(each)) || numbers.length > 2) throw new Refused("A place must be two numbers, such as 0/17");
  if (source === "archive") return { source, archive: by("lookup-archive").value, offset: Number(numbers[0]) };
  if (numbers.length !== 2) throw new Refused("A place must be two numbers, such as 0/17");
  return { source, partition: Number(numbers[0]), offset: Number(numbers[1]) };
}

function showFacts(found) {
  const facts = Object.entries(found.facts).filter(([, value]) => value);
  by("found").replaceChildren(
    make("p", {}, make("b", {}, found.place), found.why ? `: ${found.why}` : ""),
    make("dl", {}, ...facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, value)))),
  );
}

// Calls `take` with a page, or `publish` with a document whose page is missing.
export async function open(take, publish, say) {
  const { sources, archives } = await ask("api/sources");
  if (!sources.length) return;
  by("lookup").hidden = false;
  by("lookup-source").append(...sources.map((name) => new Option(NAMES[name], name)));
  by("lookup-archive").append(...archives.map((name) => new Option(name, name)));
  by("recent").hidden = !sources.includes("documents");
  find = async (fields) => {
    try {
      const found = await ask("api/lookup", fields);
      next = found.next && { ...fields, ...found.next };
      const place = fields.partition === undefined ? "" : `${fields.source}/${fields.partition}/${fields.offset}`;
      showFacts(found);
      if (found.page) take(found.page, place);
      else if (found.document) publish(found, place);
      say(found.page || found.document ? "Found" : found.why, !found.page && !found.document);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(error.message, true);
    }
    fit();
  };
  const start = () => {
    try {
      find(asked());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(error.message, true);
    }
  };
  by("lookup-find").addEventListener("click", start);
  by("lookup-next").addEventListener("click", () => next && find(next));
  for (const name of ["lookup-url", "lookup-place"]) {
    by(name).addEventListener("keydown", (event) => event.key === "Enter" && start());
  }
  by("lookup-source").addEventListener("change", () => { next = null; fit(); });
  fit();
}

// Finds the record that a link names: source, partition and offset.
export async function follow(place) {
  const [, source, partition, offset] = /^(pages|documents|dead)\/(\d+)\/(\d+)$/.exec(place) ?? [];
  if (!source || !find) return false;
  by("lookup").open = true;
  by("lookup-source").value = source;
  by("lookup-place").value = `${partition}/${offset}`;
  fit();
  await find({ source, partition: Number(partition), offset: Number(offset) });
  return true;
}
