// A list to choose from: under a menu, or above the line that is typed.

import { el } from "./dom.js";

let count = 0;

/** Shows entries {label, description, chosen} in a box and keeps one of them highlighted. */
export class List {
  constructor(box, pick, { multiple = false } = {}) {
    this.box = box;
    this.pick = pick;
    this.entries = [];
    this.at = -1;
    count += 1;
    this.prefix = `entry-${count}`;
    if (multiple) box.setAttribute("aria-multiselectable", "true");
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /** The entry that Tab would take. */
  get current() {
    return this.entries[this.at];
  }

  show(entries, { note = "", at = 0 } = {}) {
    this.entries = entries;
    this.at = Math.min(at, entries.length - 1);
    this.moved = false;
    const lines = entries.map((entry, index) => this.line(entry, index));
    this.box.replaceChildren(...(note ? [el("p", { class: "note" }, note)] : []), ...lines);
    this.box.hidden = !entries.length && !note;
    this.mark();
  }

  line(entry, index) {
    const attributes = { role: "option", id: `${this.prefix}-${index}`, class: "entry", "aria-selected": "false" };
    // A press must not take the focus from the field that is typed in.
    const listeners = { onmousedown: (event) => event.preventDefault(), onclick: () => this.pick(entry) };
    return el(
      "div",
      { ...attributes, ...listeners, "aria-checked": entry.chosen === undefined ? null : String(entry.chosen) },
      el("span", { class: "label" }, entry.label),
      entry.description && el("span", { class: "description" }, entry.description),
    );
  }

  hide() {
    this.box.hidden = true;
    this.entries = [];
    this.at = -1;
    this.mark();
  }

  /** Highlight the next one or the one before. */
  move(by) {
    if (!this.entries.length) return;
    this.moved = true;
    this.at = (this.at + by + this.entries.length) % this.entries.length;
    this.mark();
  }

  mark() {
    this.box.querySelectorAll(".entry").forEach((line, index) => {
      line.setAttribute("aria-selected", String(index === this.at));
      if (index === this.at) line.scrollIntoView({ block: "nearest" });
    });
    const active = this.current ? `${this.prefix}-${this.at}` : "";
    for (const owner of document.querySelectorAll(`[aria-controls="${this.box.id}"]`)) {
      owner.setAttribute("aria-expanded", String(this.isOpen));
      if (active) owner.setAttribute("aria-activedescendant", active);
      else owner.removeAttribute("aria-activedescendant");
    }
  }
}
