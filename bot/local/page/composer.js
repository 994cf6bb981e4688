// The line at the bottom: plain messages, and slash commands with their options.

import { el, find } from "./dom.js";
import { ask, reason } from "./line.js";
import { post } from "./log.js";
import { model, places, players, title } from "./model.js";
import { suggestions } from "./suggestions.js";

const [STRING, WHOLE, YES_NO, USER, CHANNEL, ANYBODY] = [3, 4, 5, 6, 7, 9];
const PAUSE = 80; // milliseconds without a key before completions are asked for

const form = find("composer");
const text = find("text");
const box = find("fields");
let command = null; // the one that is filled in
let fields = []; // its options: {option, input, node, picked}
let turn = 0; // of asking for completions: a late answer to an earlier question is not shown
let asking = null; // settles when the suggestions are those for what is typed
let completing = Promise.resolve(); // settles when Tab has done its work

function hint(words) {
  find("hint").textContent = words;
  find("hint").hidden = !words;
}

/** Begin a command, as `/` does. */
export function startCommand(name = "") {
  leave();
  text.value = `/${name}`;
  text.focus();
  typed();
}

/** Back to an empty line. */
function leave() {
  const hadCommand = command !== null;
  command = null;
  fields = [];
  turn += 1;
  box.hidden = true;
  text.hidden = false;
  text.value = "";
  suggestions.hide();
  hint("");
  if (hadCommand) text.focus();
}

// Which command

function typed() {
  hint("");
  if (!text.value.startsWith("/")) return suggestions.hide();
  const body = text.value.slice(1);
  const whole = model.commands.find((one) => body.startsWith(`${one.name} `));
  if (whole) return begin(whole, body.slice(whole.name.length + 1));
  const wanted = body.trim().toLowerCase();
  const fits = model.commands.filter((one) => one.name.includes(wanted));
  fits.sort((a, b) => b.name.startsWith(wanted) - a.name.startsWith(wanted));
  const entries = fits.map((one) => ({ label: `/${one.name}`, description: one.description, command: one }));
  return suggestions.show(entries, "There is no such command");
}

function begin(chosen, rest = "") {
  command = chosen;
  fields = command.options.map(makeField);
  box.replaceChildren(el("span.name", `/${command.name}`), ...fields.map((field) => field.node));
  box.hidden = false;
  text.hidden = true;
  suggestions.hide();
  hint(command.description);
  const [first] = fields;
  if (!first) return box.focus();
  first.input.value = rest.trim();
  first.input.focus();
  return rest && changed(first);
}

// Its options

function makeField(option) {
  const input = el("input", {
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "suggestions",
    "aria-label": `${option.name}: ${option.description}`,
    "data-option": option.name,
    required: option.required,
    maxlength: option.max_length,
    pattern: option.type === WHOLE ? "-?[0-9]+" : null,
    inputmode: option.type === WHOLE ? "numeric" : null,
  });
  const field = { option, input, node: el("label", el("span", option.name), input), picked: null };
  // Who goes on typing after a choice goes on from what it stands for, not from what it is called.
  input.addEventListener("beforeinput", () => {
    if (typeof field.picked?.value === "string") input.value = field.picked.value;
    field.picked = null;
  });
  input.addEventListener("input", () => changed(field));
  input.addEventListener("focus", () => suggest(field));
  input.addEventListener("blur", () => suggestions.hide());
  return field;
}

/** Something was typed or pasted; `name:` leads on to the option of that name. */
function changed(field) {
  const names = fields.map(({ option }) => option.name).join("|");
  const [own, ...named] = field.input.value.split(new RegExp(`\\s*(${names}):`));
  let last = field;
  if (named.length) field.input.value = own;
  for (let at = 0; at < named.length; at += 2) {
    last = fields.find(({ option }) => option.name === named[at]);
    last.input.value = named[at + 1].trim();
  }
  for (const { input } of fields) input.setCustomValidity("");
  suggestions.wasMoved = false;
  last.input.focus();
  suggest(last);
}

/** All that an option can be, if there is a list of it. */
function listed({ choices, type }) {
  if (choices) return choices.map(({ name, value }) => ({ label: name, value }));
  if (type === YES_NO) return [true, false].map((value) => ({ label: value ? "True" : "False", value }));
  if (type === CHANNEL) return places().map((one) => ({ label: title(one), value: { channel: one.id } }));
  if (type === USER || type === ANYBODY)
    return players().map((one) => ({ label: one.name, value: { user: one.id } }));
  return null;
}

function suggest(field) {
  const mine = offer(field).finally(() => {
    if (asking === mine) asking = null;
  });
  asking = mine;
}

/** Show what could stand in an option. */
async function offer({ option, input, picked }) {
  turn += 1;
  const mine = turn;
  hint(`${option.name}: ${option.description}`);
  if (picked) return;
  if (!option.autocomplete) {
    const begun = input.value.trim().toLowerCase();
    suggestions.show((listed(option) ?? []).filter((entry) => entry.label.toLowerCase().includes(begun)));
    return;
  }
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (mine !== turn) return;
  const options = { ...values(), [option.name]: input.value };
  const packet = { do: "complete", channel: model.open, command: command.name, options, focused: option.name };
  const answer = await ask(packet);
  if (mine !== turn || document.activeElement !== input) return;
  const entries = (answer.choices ?? []).map(({ name, value }) => ({ label: name, value }));
  suggestions.show(entries, answer.choices ? "No options match" : "Options could not be loaded");
}

/** Take the highlighted suggestion, and none that was for something typed before. */
async function complete() {
  while (asking) await asking;
  if (suggestions.current) suggestions.take(suggestions.current);
}

suggestions.take = (entry) => {
  if (entry.command) return begin(entry.command);
  const field = fields.find(({ input }) => input === document.activeElement);
  field.picked = entry;
  field.input.value = entry.label;
  field.input.setCustomValidity("");
  turn += 1;
  suggestions.hide();
  return fields.find(({ input }) => input.required && !input.value)?.input.focus();
};

/** What stands in an option; undefined if nothing does, or nothing that is in its list. */
function valueOf({ option, input, picked }) {
  const given = input.value.trim();
  if (picked || !given) return picked?.value;
  const all = listed(option);
  if (all) return all.find(({ label }) => label.toLowerCase() === given.toLowerCase())?.value;
  return option.type === STRING ? given : Number(given);
}

function values() {
  const filled = fields.map((field) => [field.option.name, valueOf(field)]);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

// Sending

async function say() {
  const said = text.value.trim();
  if (!said) return;
  if (said.startsWith("/")) return hint("There is no such command");
  leave();
  const answer = await ask({ do: "say", channel: model.open, content: withMentions(said) });
  if (answer.t === "answered") return;
  text.value = said;
  hint(answer.why ?? "The message could not be sent");
}

/** @Name of a player becomes a mention. */
function withMentions(said) {
  const longestFirst = players().sort((a, b) => b.name.length - a.name.length);
  return longestFirst.reduce((found, user) => found.replaceAll(`@${user.name}`, `<@${user.id}>`), said);
}

async function run() {
  for (const field of fields) {
    const isWrong = field.input.value.trim() && valueOf(field) === undefined;
    field.input.setCustomValidity(isWrong ? "Choose one of the list." : "");
  }
  if (!form.reportValidity()) return;
  const { name } = command;
  const packet = { do: "command", channel: model.open, command: name, options: values() };
  leave();
  const notice = el("article.message.notice.private", el("p.thinking", { role: "status" }, `Sending /${name}…`));
  post(notice);
  const answer = await ask(packet);
  if (answer.t === "answered") return notice.remove();
  const dismiss = el("button.plain", { onclick: () => notice.remove() }, "Dismiss message");
  notice.replaceChildren(el("p.error", { role: "alert" }, `/${name}: ${reason(answer)}`), dismiss);
}

// Keys

function key(event) {
  const { isOpen, current, wasMoved } = suggestions;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isFirst = !fields.length || event.target === fields[0].input;
  if (event.isComposing) return;
  if (step && isOpen) suggestions.move(step);
  else if (event.key === "Tab" && !event.shiftKey && (current || asking)) completing = complete();
  else if (event.key === "Enter" && !event.shiftKey && current && (!command || wasMoved)) suggestions.take(current);
  else if (event.key === "Enter" && !event.shiftKey) completing.then(() => form.requestSubmit());
  else if (event.key === "Escape" && command && isOpen) suggestions.hide();
  else if (event.key === "Escape" && (command || isOpen)) leave();
  else if (event.key === "Backspace" && command && isFirst && !event.target.value) startCommand(command.name);
  else return;
  event.preventDefault();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (command) run();
  else say();
});
text.addEventListener("input", typed);
text.addEventListener("blur", () => suggestions.hide());
for (const typedIn of [text, box]) typedIn.addEventListener("keydown", key);
find("slash").addEventListener("click", () => startCommand());
