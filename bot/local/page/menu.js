// A menu of a message or a modal.

import { el, nameOf } from "./dom.js";
import { List } from "./list.js";
import { players } from "./model.js";

let count = 0;

function optionsOf(part) {
  if (part.type === 3) return part.options.map((option) => ({ ...option, chosen: Boolean(option.default) }));
  const people = part.type === 5 || part.type === 7 ? players() : [];
  return people.map((user) => ({ label: nameOf(user), value: user.id, chosen: false }));
}

/** `choose` gets the menu's button and the values. Where several may be chosen, closing the menu sends them. */
export class Menu {
  constructor(part, choose) {
    this.least = part.min_values ?? 1;
    this.most = part.max_values ?? 1;
    this.title = part.placeholder || "Make a selection";
    this.options = optionsOf(part);
    this.choose = choose;
    count += 1;
    const id = `menu-${count}`;
    this.box = el("div", { class: "list drop", role: "listbox", id, "aria-label": this.title, hidden: true });
    const role = { role: "combobox", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": id };
    this.face = el("button", { type: "button", class: "face", ...role, "data-id": part.custom_id });
    this.face.disabled = Boolean(part.disabled);
    this.face.addEventListener("click", () => (this.list.isOpen ? this.close() : this.open()));
    this.face.addEventListener("blur", () => this.close());
    this.face.addEventListener("keydown", (event) => this.key(event));
    this.list = new List(this.box, (entry) => this.pick(entry.option), { multiple: this.most > 1 });
    this.node = el("div", { class: "menu" }, this.face, this.box);
    this.draw();
  }

  get values() {
    return this.options.filter((option) => option.chosen).map((option) => option.value);
  }

  draw() {
    const chosen = this.options.filter((option) => option.chosen);
    const said = chosen.map((option) => option.label).join(", ");
    this.face.replaceChildren(el("span", { class: said ? "" : "placeholder" }, said || this.title));
    this.face.setAttribute("aria-label", said ? `${this.title}: ${said}` : this.title);
  }

  /** Show the options, with one of them highlighted. */
  show(at) {
    const many = this.most > 1;
    const entries = this.options.map((option) => ({ ...option, chosen: many ? option.chosen : undefined, option }));
    const note = many ? `Choose ${this.least} to ${this.most}, then press Esc or click elsewhere` : "";
    this.list.show(entries, { note, at });
  }

  open() {
    this.before = this.values.join();
    this.show(
      Math.max(
        0,
        this.options.findIndex((option) => option.chosen),
      ),
    );
    this.face.scrollIntoView({ block: "nearest" });
    this.box.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (!this.list.isOpen) return;
    this.list.hide();
    const { values } = this;
    const fits = values.length >= this.least && values.length <= this.most;
    if (this.most > 1 && fits && values.join() !== this.before) this.choose(this.face, values);
  }

  pick(option) {
    if (this.most > 1) {
      if (option.chosen || this.values.length < this.most) option.chosen = !option.chosen;
      this.show(this.options.indexOf(option));
      this.draw();
      return;
    }
    for (const other of this.options) other.chosen = other === option;
    this.draw();
    this.list.hide();
    this.choose(this.face, [option.value]);
  }

  key(event) {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!this.list.isOpen && !step) return;
    if (!this.list.isOpen) this.open();
    else if (step) this.list.move(step);
    else if (key === "Enter" || key === " ") this.pick(this.list.current.option);
    else if (key === "Escape") this.close();
    else if (key.length === 1) this.jump(key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Highlight the next option that begins with a letter. */
  jump(letter) {
    const { entries, at } = this.list;
    for (let step = 1; step <= entries.length; step += 1) {
      if (entries[(at + step) % entries.length].label.toLowerCase().startsWith(letter)) return this.list.move(step);
    }
    return null;
  }
}
