// Forms that the bot asks to be filled in.

import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { Menu } from "./menu.js";

function field(part, index) {
  if (part.type === 10) return { node: el("div", { class: "markdown" }, ...markdown(part.content)) };
  const item = part.component || part.components[0];
  const label = part.label || item.label;
  const id = `field-${index}`;
  const head = el("label", { for: id }, label, part.description && el("small", {}, part.description));
  if (item.type !== 4) {
    const menu = new Menu(item, () => null);
    return { node: el("div", {}, head, menu.node), id: item.custom_id, value: () => menu.values };
  }
  const needed = item.required ?? true;
  const input = el(item.style === 2 ? "textarea" : "input", {
    id,
    placeholder: item.placeholder,
    minlength: item.min_length || null,
    maxlength: item.max_length ?? 4000,
    required: needed,
    rows: item.style === 2 ? 5 : null,
  });
  input.value = item.value || "";
  return { node: el("div", {}, head, input), id: item.custom_id, value: () => input.value };
}

/** Show a form; `ask` sends what was filled in. */
export function openModal({ opened, modal }, ask) {
  const dialog = document.getElementById("modal");
  const fields = modal.components.map(field);
  const error = el("p", { class: "error", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    const filled = Object.fromEntries(fields.filter((one) => one.id).map((one) => [one.id, one.value()]));
    const answer = await ask({ do: "submit", opened, fields: filled });
    if (answer.t === "answered") dialog.close();
    else error.textContent = answer.t === "refused" ? answer.why : "This interaction failed";
  };
  const buttons = [
    el("button", { type: "button", class: "button secondary", onclick: () => dialog.close() }, "Cancel"),
    el("button", { type: "submit", class: "button primary" }, "Submit"),
  ];
  const head = el("h2", { id: "modal-title" }, modal.title);
  dialog.setAttribute("aria-labelledby", "modal-title");
  dialog.replaceChildren(
    el(
      "form",
      { onsubmit: send },
      head,
      ...fields.map((one) => one.node),
      error,
      el("div", { class: "row" }, ...buttons),
    ),
  );
  dialog.showModal();
}
