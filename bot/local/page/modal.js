// Forms that the bot asks to be filled in.

import { el, find } from "./dom.js";
import { ask } from "./line.js";
import { prose } from "./text.js";

const [TEXT, INPUT, PARAGRAPH] = [10, 4, 2];

const dialog = find("modal");
const form = dialog.querySelector("form");
const error = dialog.querySelector(".error");
let opened = null; // which one is shown

/** Show a form. */
export function openModal(packet) {
  const { title, components } = packet.modal;
  opened = packet.opened;
  error.textContent = "";
  find("modal-title").textContent = title;
  find("modal-fields").replaceChildren(...components.map(field));
  dialog.showModal();
}

function field(part) {
  if (part.type === TEXT) return prose(part.content);
  const inside = part.component ?? part.components[0];
  const { label = inside.label, description } = part;
  const control = inside.type === INPUT ? input(inside) : select(inside);
  return el("label", label, description && el("small", description), control);
}

function input({ custom_id: name, style, required = true, min_length, max_length = 4000, placeholder, value }) {
  const limits = { required, minlength: min_length, maxlength: max_length };
  if (style === PARAGRAPH) return el("textarea", { name, placeholder, ...limits }, value);
  return el("input", { name, placeholder, value, ...limits });
}

function select({ custom_id: name, options, max_values: most, required = true, placeholder }) {
  const multiple = most > 1;
  const none = !multiple && el("option", { value: "" }, placeholder ?? "Make a selection");
  const lines = options.map(({ label, value, default: selected }) => el("option", { value, selected }, label));
  return el("select", { name, required, multiple }, none, lines);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const filled = new FormData(form);
  const fields = Object.fromEntries([...filled.keys()].map((name) => [name, filled.getAll(name)]));
  const { why } = await ask({ do: "submit", opened, fields });
  error.textContent = why ?? "";
  if (!why) dialog.close();
});
find("modal-cancel").addEventListener("click", () => dialog.close());
