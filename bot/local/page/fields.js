// The fields of a form. Each has its element, its id, a function that returns its value, and `check`,
// which shows what is wrong with it and returns whether it may be submitted.

import { el, entryText } from "./dom.js";
import { encodeFile, MAX_FILE_BYTES } from "./files.js";
import * as say from "./words.js";

// Discord's component types
const ROW = 1;
const TEXT_INPUT = 4;
const FILE_UPLOAD = 19;
const RADIO_GROUP = 21;
const CHECKBOX_GROUP = 22;
const CHECKBOX = 23;

const PARAGRAPH = 2; // the style of a text input with several lines
const MAX_TEXT = 4000;

/** Return the field of a label, or of a row as forms had them before there were labels. */
export function field(part) {
  const component = part.type === ROW ? part.components[0] : part.component;
  const { label = component.label, description } = part;
  const { custom_id: id, required = true } = component;
  const about = { id: `field-${id}`, label, description, required: required && component.type !== CHECKBOX };
  const made = KINDS[component.type]?.(component, about) ?? choices(component, about);
  const error = el("p.error", { role: "alert", id: `${about.id}-error` });
  const check = () => {
    const why = made.problem() ?? "";
    error.textContent = why;
    made.control.ariaInvalid = why ? "true" : null;
    return !why;
  };
  made.control.setAttribute("aria-describedby", `${about.id}-about ${about.id}-error`);
  // What was wrong is checked again while the player mends it.
  made.element.addEventListener("input", () => error.textContent && check());
  made.element.append(error);
  return { ...made, id, check, focus: () => (made.focus ?? made.control).focus() };
}

const KINDS = {
  [TEXT_INPUT]: textInput,
  [FILE_UPLOAD]: fileUpload,
  [RADIO_GROUP]: (part, about) => choices({ ...part, max_values: 1 }, about, true),
  [CHECKBOX_GROUP]: (part, about) => choices({ ...part, max_values: part.max_values ?? part.options.length }, about, true),
  [CHECKBOX]: checkbox,
};

const mark = ({ required }) => !required && el("span.optional", " (optional)");
const aboutText = ({ id, description }, more) => el("p.about", { id: `${id}-about` }, description, more);

/** Return a field whose one control has a label above it. */
function labelled(control, about, more) {
  const title = el("label", { for: about.id }, about.label, mark(about));
  return el("div.field", title, aboutText(about, more), control);
}

function textInput({ style, value = "", placeholder, min_length: least = 0, max_length: most = MAX_TEXT }, about) {
  const { id, required } = about;
  const tag = style === PARAGRAPH ? "textarea" : "input";
  const control = el(tag, { id, placeholder, "aria-required": required && "true", rows: tag === "textarea" && 4 });
  control.value = value;
  // Discord counts characters, JavaScript units of 16 bits.
  const length = () => [...control.value].length;
  const counter = el("span.counter");
  const count = () => {
    counter.textContent = most < MAX_TEXT || length() > most ? `${length()} / ${most}` : "";
    counter.classList.toggle("over", length() > most);
  };
  control.addEventListener("input", count);
  count();
  const problem = () => {
    if (!control.value.trim() && required) return say.MISSING;
    const isWrong = control.value && (length() < least || length() > most);
    return isWrong ? say.refusal("field_length", { low: least, high: most }) : null;
  };
  const element = labelled(control, about);
  element.append(counter);
  return { element, control, problem, value: () => control.value };
}

/** Return a menu for one choice, or boxes for several; with `isGroup`, all choices are seen at once. */
function choices(part, about, isGroup = false) {
  const { options, min_values: low, max_values: high } = part;
  const [least, most] = [low ?? 1, high ?? 1];
  const isMenu = most === 1 && !isGroup;
  const made = isMenu ? dropdown(part, about) : boxes(options, about, part.type === RADIO_GROUP);
  const problem = () => {
    const count = made.value().length;
    if (!count) return about.required ? say.MISSING : null;
    return count < least || count > most ? say.refusal("number_chosen", { low: least, high: most }) : null;
  };
  const limit = () => made.limit?.(most);
  made.element.addEventListener("input", limit);
  limit();
  const note = !isMenu && most > 1 && say.choose(about.required ? least : 0, most);
  if (note) made.element.querySelector(".about").append(about.description ? ` ${note}` : note);
  const value = () => (part.type === RADIO_GROUP ? made.value()[0] ?? null : made.value());
  return { ...made, problem, value };
}

function dropdown({ options, placeholder }, about) {
  const empty = el("option", { value: "" }, placeholder ?? "Make a selection");
  const lines = options.map(({ value, label, description, default: selected }) => (
    el("option", { value, selected }, description ? `${label} (${description})` : label)
  ));
  const control = el("select", { id: about.id, "aria-required": about.required && "true" }, empty, lines);
  return { element: labelled(control, about), control, value: () => [control.value].filter(Boolean) };
}

function boxes(options, about, isSingle) {
  const type = isSingle ? "radio" : "checkbox";
  const inputs = options.map(({ value, default: checked }) => el("input", { type, name: about.id, value, checked }));
  const lines = options.map((option, index) => el("label.entry", inputs[index], entryText(option)));
  const list = el("div.list", lines);
  const control = el("fieldset.field", el("legend", about.label, mark(about)), aboutText(about), list);
  const value = () => inputs.filter((box) => box.checked).map((box) => box.value);
  // Radio buttons cannot be unchecked by themselves.
  const clear = () => {
    for (const box of inputs) box.checked = false;
    inputs[0].focus();
  };
  if (isSingle && !about.required) control.append(el("button.plain", { onclick: clear }, "Clear the choice"));
  const limit = (most) => {
    if (isSingle) return;
    for (const box of inputs) box.disabled = !box.checked && value().length >= most;
  };
  const focus = { focus: () => (inputs.find((box) => box.checked) ?? inputs[0]).focus() };
  return { element: control, control, value, limit, focus };
}

function checkbox({ default: checked }, about) {
  const control = el("input", { type: "checkbox", id: about.id, checked });
  const line = el("label.entry.single", control, el("span.label", about.label));
  const element = el("div.field", line, aboutText(about));
  return { element, control, problem: () => null, value: () => control.checked };
}

function fileUpload({ min_values: low, max_values: high }, about) {
  const [least, most] = [low ?? 1, high ?? 1];
  const control = el("input", { type: "file", id: about.id, multiple: most > 1, "aria-required": about.required && "true" });
  const problem = () => {
    const files = [...control.files];
    if (!files.length) return about.required ? say.MISSING : null;
    if (files.length < least || files.length > most) return say.refusal("number_chosen", { low: least, high: most });
    return files.reduce((sum, file) => sum + file.size, 0) > MAX_FILE_BYTES ? say.TOO_LARGE : null;
  };
  const value = () => Promise.all([...control.files].map(encodeFile));
  const note = most > 1 ? ` ${say.choose(about.required ? least : 0, most)}` : "";
  return { element: labelled(control, about, note), control, problem, value };
}
