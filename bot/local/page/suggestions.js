// What could be typed, shown above the line. One of the entries is highlighted: Tab takes it.

import { el, find } from "./dom.js";

const box = find("suggestions");
let entries = []; // {label, description, …}
let lines = [];
let at = -1;
let owner = null; // the field they are for

export const suggestions = {
  wasMoved: false, // an arrow key chose the highlighted one
  take: null, // gets the entry that is clicked

  get isOpen() {
    return !box.hidden;
  },

  /** The highlighted entry. */
  get current() {
    return entries[at];
  },

  /** Show entries for the field that has the focus, or a note if there are none. */
  show(found, note = "") {
    entries = found;
    lines = entries.map(line);
    at = entries.length ? 0 : -1;
    owner = document.activeElement;
    suggestions.wasMoved = false;
    box.replaceChildren(...(lines.length ? lines : [el("p.note", note)]));
    box.hidden = !lines.length && !note;
    mark();
  },

  hide() {
    suggestions.show([]);
  },

  /** Highlight the next one, or the one before. */
  move(by) {
    if (!entries.length) return;
    at = (at + by + entries.length) % entries.length;
    suggestions.wasMoved = true;
    mark();
  },
};

function line(entry, index) {
  const { label, description } = entry;
  // A press must not take the focus from the field that is typed in.
  const listeners = { onmousedown: (event) => event.preventDefault(), onclick: () => suggestions.take(entry) };
  const words = [el("span.label", label), description && el("span.description", description)];
  return el("div.entry", { role: "option", id: `suggestion-${index}`, ...listeners }, words);
}

function mark() {
  lines.forEach((one, index) => one.setAttribute("aria-selected", index === at));
  lines[at]?.scrollIntoView({ block: "nearest" });
  if (owner?.role !== "combobox") return;
  owner.ariaExpanded = suggestions.isOpen;
  owner.setAttribute("aria-activedescendant", lines[at]?.id ?? "");
}
