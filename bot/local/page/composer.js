// The line at the bottom: plain messages, and slash commands with their options.

import { el, nameOf } from "./dom.js";
import { List } from "./list.js";
import { model, places, players, title } from "./model.js";

const [STRING, WHOLE, YES_NO, USER, CHANNEL, ANYBODY, NUMBER] = [3, 4, 5, 6, 7, 9, 10];
const PAUSE = 80;

const find = (id) => document.getElementById(id);

export class Composer {
  /** `place` gives the open channel, `say(text)` and `run(command, options)` send, `complete` asks for choices. */
  constructor({ place, say, run, complete }) {
    Object.assign(this, { place, say, run, complete });
    this.text = find("text");
    this.box = find("fields");
    this.hint = find("hint");
    this.command = null;
    this.fields = [];
    this.turn = 0;
    this.list = new List(find("suggestions"), (entry) => this.pick(entry));
    this.text.addEventListener("input", () => this.typed());
    this.text.addEventListener("keydown", (event) => this.textKey(event));
    this.text.addEventListener("blur", () => this.list.hide());
    this.box.addEventListener("keydown", (event) => this.fieldKey(event));
    find("slash").addEventListener("click", () => this.start());
    find("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  /** Another channel was opened. */
  moved(channel) {
    this.text.placeholder = channel ? `Message ${channel.type === 0 ? "#" : ""}${title(channel)}` : "";
    if (this.list.isOpen) this.list.hide();
  }

  /** Begin a command, as `/` does. */
  start(name = "") {
    this.leave();
    this.text.value = `/${name}`;
    this.text.focus();
    this.typed();
  }

  tellHint(text) {
    this.hint.textContent = text;
    this.hint.hidden = !text;
  }

  // Plain text

  typed() {
    this.tellHint("");
    this.text.rows = Math.min(8, this.text.value.split("\n").length);
    const { value } = this.text;
    if (!value.startsWith("/")) return this.list.hide();
    const body = value.slice(1);
    const whole = model.commands
      .filter((command) => body.startsWith(`${command.name} `))
      .sort((a, b) => b.name.length - a.name.length)[0];
    if (whole) return this.begin(whole, body.slice(whole.name.length + 1));
    const wanted = body.trim().toLowerCase();
    const fits = model.commands.filter((command) => command.name.includes(wanted));
    fits.sort((a, b) => b.name.startsWith(wanted) - a.name.startsWith(wanted));
    const entries = fits.map((command) => ({ label: `/${command.name}`, description: command.description, command }));
    return this.list.show(entries, { note: entries.length ? "" : "There is no such command" });
  }

  textKey(event) {
    if (this.listKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      if (this.list.current) this.pick(this.list.current);
      else this.send();
    } else if (event.key === "Escape") {
      if (this.text.value.startsWith("/")) this.leave();
      this.list.hide();
    }
  }

  /** The keys that work while suggestions are shown. */
  listKey(event) {
    if (!this.list.isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.list.move(step);
    else if (event.key === "Tab" && !event.shiftKey && this.list.current) this.pick(this.list.current);
    else return false;
    event.preventDefault();
    return true;
  }

  // Commands

  begin(command, rest = "") {
    this.command = command;
    this.fields = command.options.map((option) => this.field(option));
    this.box.replaceChildren(
      el("span", { class: "name" }, `/${command.name}`),
      ...this.fields.map((field) => field.node),
    );
    this.box.tabIndex = -1;
    this.box.hidden = false;
    this.text.hidden = true;
    this.list.hide();
    this.tellHint(command.description);
    this.fill(rest);
    const first =
      this.fields.find((field) => field.option.required && !field.input.value) ||
      this.fields.find((field) => field.input.value) ||
      this.fields[0];
    (first ? first.input : this.box).focus();
  }

  /** Take over what was already typed: `name:value name:value`, or a value for the first option. */
  fill(rest) {
    if (!rest.trim() || !this.fields.length) return;
    const names = this.fields.map((field) => field.option.name).join("|");
    const parts = rest.split(new RegExp(`(?:^|\\s)(${names}):`));
    if (parts[0].trim()) this.put(this.fields[0], parts[0].trim());
    for (let at = 1; at < parts.length; at += 2) {
      this.put(
        this.fields.find((field) => field.option.name === parts[at]),
        parts[at + 1].trim(),
      );
    }
  }

  put(field, text) {
    field.input.value = text;
    field.input.size = Math.max(4, text.length + 1);
  }

  field(option) {
    const input = el("input", {
      size: 4,
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": "suggestions",
      "aria-label": `${option.name}: ${option.description}`,
      "aria-required": String(Boolean(option.required)),
      inputmode: option.type === WHOLE || option.type === NUMBER ? "numeric" : null,
      maxlength: option.max_length || 6000,
      "data-option": option.name,
    });
    const node = el("label", { class: option.required ? "required" : "" }, el("span", {}, option.name), input);
    const field = { option, input, node, picked: null };
    // Who goes on typing after a choice goes on from what it stands for, not from what it is called.
    input.addEventListener("beforeinput", () => {
      if (field.picked && typeof field.picked.value === "string") input.value = field.picked.value;
      field.picked = null;
    });
    input.addEventListener("input", () => this.changed(field));
    input.addEventListener("focus", () => this.suggest(field));
    input.addEventListener("blur", () => this.list.hide());
    return field;
  }

  changed(field) {
    field.input.removeAttribute("aria-invalid");
    field.input.size = Math.max(4, field.input.value.length + 1);
    const named = this.fields.find((other) => field.input.value.endsWith(`${other.option.name}:`));
    if (named) {
      this.put(field, field.input.value.slice(0, -named.option.name.length - 1).trim());
      if (named !== field) return named.input.focus();
    }
    return this.suggest(field);
  }

  fieldKey(event) {
    if (this.listKey(event)) return;
    const field = this.focused();
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      if (this.list.moved && this.list.current) this.pick(this.list.current);
      else this.send();
    } else if (event.key === "Escape") {
      if (this.list.isOpen) this.list.hide();
      else this.leave();
      event.stopPropagation();
    } else if (event.key === "Backspace" && (!field || (!field.input.value && field === this.fields[0]))) {
      event.preventDefault();
      this.start(this.command.name);
    }
  }

  focused() {
    return this.fields.find((field) => field.input === document.activeElement);
  }

  pick(entry) {
    if (entry.command) return this.begin(entry.command);
    const field = this.focused();
    if (!field) return null;
    this.put(field, entry.label);
    field.picked = entry;
    this.list.hide();
    const next = this.fields.find((other) => other.option.required && !other.input.value);
    return next && next.input.focus();
  }

  /** Show what could stand in an option. */
  async suggest(field) {
    this.turn += 1;
    const { turn } = this;
    const { option } = field;
    this.tellHint(`${option.name}: ${option.description}`);
    if (field.picked) return;
    if (!option.autocomplete) {
      const entries = this.fixed(field);
      this.list.show(entries);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (turn !== this.turn || !this.command) return;
    const options = { ...this.values(), [option.name]: field.input.value };
    const answer = await this.complete(this.command.name, options, option.name);
    if (turn !== this.turn || this.focused() !== field) return;
    if (answer.t !== "choices") this.list.show([], { note: "Options could not be loaded" });
    else {
      const entries = answer.choices.map((choice) => ({ label: choice.name, value: choice.value }));
      this.list.show(entries, { note: entries.length ? "" : "No options match" });
    }
  }

  /** Every entry that an option can have, if there is a list of them. */
  all(option) {
    const named = (list, name, key) => list.map((one) => ({ label: name(one), value: { [key]: one.id } }));
    if (option.choices) return option.choices.map((choice) => ({ label: String(choice.name), value: choice.value }));
    if (option.type === YES_NO)
      return [
        { label: "True", value: true },
        { label: "False", value: false },
      ];
    if (option.type === USER || option.type === ANYBODY) return named(players(), nameOf, "user");
    if (option.type === CHANNEL) return named(places(), title, "channel");
    return null;
  }

  fixed(field) {
    const typed = field.input.value.trim().toLowerCase();
    return (this.all(field.option) || []).filter((entry) => entry.label.toLowerCase().includes(typed));
  }

  /** What stands in an option: a value, undefined for nothing, or null for what does not fit. */
  value({ option, input, picked }) {
    if (picked) return picked.value;
    const text = input.value.trim();
    if (!text) return undefined;
    const all = this.all(option);
    if (all) return all.find((entry) => entry.label.toLowerCase() === text.toLowerCase())?.value ?? null;
    if (option.type === STRING) return text;
    const number = Number(text);
    return Number.isNaN(number) || (option.type === WHOLE && !Number.isInteger(number)) ? null : number;
  }

  values() {
    const filled = this.fields.map((field) => [field.option.name, this.value(field)]);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined && value !== null));
  }

  // Sending

  send() {
    if (this.command) return this.sendCommand();
    const text = this.text.value.trim();
    if (!text) return null;
    if (text.startsWith("/")) return this.tellHint("There is no such command");
    this.leave();
    return this.say(withMentions(text)).then((answer) => {
      if (answer.t === "answered") return;
      this.text.value = text;
      this.tellHint(answer.why || "The message could not be sent");
    });
  }

  sendCommand() {
    for (const field of this.fields) {
      const value = this.value(field);
      if (value === null || (value === undefined && field.option.required)) {
        field.input.setAttribute("aria-invalid", "true");
        field.input.focus();
        this.tellHint(
          value === null ? `${field.option.name}: this does not fit` : `${field.option.name}: this is needed`,
        );
        return;
      }
    }
    const { name } = this.command;
    const options = this.values();
    this.leave();
    this.run(name, options);
  }

  /** Back to an empty line. */
  leave() {
    const had = this.command !== null;
    this.command = null;
    this.fields = [];
    this.turn += 1;
    this.box.hidden = true;
    this.text.hidden = false;
    this.text.value = "";
    this.text.rows = 1;
    this.list.hide();
    this.tellHint("");
    if (had) this.text.focus();
  }
}

/** @Name of a player becomes a mention. */
function withMentions(text) {
  const named = players().sort((a, b) => nameOf(b).length - nameOf(a).length);
  return named.reduce((found, user) => found.replaceAll(`@${nameOf(user)}`, `<@${user.id}>`), text);
}
