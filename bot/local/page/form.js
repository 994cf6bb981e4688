// A form that the bot has opened: a dialog that stays open until it is submitted or cancelled.

import { el, find } from "./dom.js";
import { field } from "./fields.js";
import { request } from "./socket.js";
import { renderBlocks } from "./text.js";

const TEXT = 10; // Discord's component type of a text between the fields

const dialog = find("form");

/** Open a form. */
export function openForm({ id, title, components }) {
  const fields = [];
  const parts = components.map((part) => {
    if (part.type === TEXT) return renderBlocks(part.content);
    const made = field(part);
    fields.push(made);
    return made.element;
  });
  const error = el("p.error", { role: "alert" });
  const cancel = el("button.button.secondary", { onclick: () => dialog.close() }, "Cancel");
  const submitButton = el("button.button.primary", { type: "submit" }, "Submit");
  const submit = async (event) => {
    event.preventDefault();
    if (submitButton.ariaBusy === "true") return;
    const wrong = fields.filter((one) => !one.check());
    if (wrong.length) return wrong[0].focus();
    submitButton.ariaBusy = submitButton.ariaDisabled = "true";
    error.textContent = "";
    const { why } = await send(id, fields);
    submitButton.ariaBusy = submitButton.ariaDisabled = null;
    if (why) error.textContent = why;
    else if (form.isConnected) dialog.close();
  };
  const form = el(
    "form",
    { novalidate: true, autocomplete: "off", onsubmit: submit },
    el("h2", { id: "form-title" }, title),
    el("div.fields", parts),
    error,
    el("div.actions", cancel, submitButton),
  );
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
  fields[0]?.focus();
}

// What was typed does not stay behind in the page.
dialog.addEventListener("close", () => dialog.replaceChildren());

/** Submit the values of the fields, and return the answer. */
async function send(form, fields) {
  const values = {};
  for (const { id, value } of fields) values[id] = await value();
  return request({ do: "submit", form, values });
}
