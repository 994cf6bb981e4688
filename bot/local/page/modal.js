// Forms that the bot asks to be filled in.

import { el, find } from "./dom.js";
import { ask } from "./line.js";
import { prose } from "./text.js";

const [TEXT, INPUT, PARAGRAPH] = [10, 4, 2];

const dialog = find("modal");
const form = dialog.querySelector("form");
const error = dialog.querySelector(".error");
let opened = null; // which one is shown

function control(part) {
  const { custom_id: name, required = true, min_length, max_length = 4000, placeholder } = part;
  if (part.type !== INPUT) {
    const multiple = part.max_values > 1;
    const none = !multiple && el("option", { value: "" }, placeholder ?? "Make a selection");
    const options = part.options.map((one) => el("option", { value: one.value, selected: one.default }, one.label));
    return el("select", { name, required, multiple }, none, options);
  }
  const kind = part.style === PARAGRAPH ? "textarea" : "input";
  const input = el(kind, { name, required, minlength: min_length, maxlength: max_length, placeholder });
  input.value = part.value ?? "";
  return input;
}

function field(part) {
  if (part.type === TEXT) return prose(part.content);
  const inside = part.component ?? part.components[0];
  const words = [part.label ?? inside.label, part.description && el("small", part.description)];
  return el("label", words, control(inside));
}

/** Show a form. */
export function openModal(answer) {
  opened = answer.opened;
  error.textContent = "";
  find("modal-title").textContent = answer.modal.title;
  find("modal-fields").replaceChildren(...answer.modal.components.map(field));
  dialog.showModal();
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const filled = [...find("modal-fields").querySelectorAll("[name]")].map((input) => {
    if (input.tagName !== "SELECT") return [input.name, input.value];
    return [input.name, [...input.selectedOptions].map((option) => option.value).filter(Boolean)];
  });
  const answer = await ask({ do: "submit", opened, fields: Object.fromEntries(filled) });
  error.textContent = answer.why ?? "";
  if (!answer.why) dialog.close();
});
find("modal-cancel").addEventListener("click", () => dialog.close());
