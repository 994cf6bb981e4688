// The buttons and menus of a message.

import { el } from "./dom.js";
import { menu } from "./menu.js";
import { model } from "./model.js";
import { request } from "./socket.js";
import { externalLink } from "./text.js";

const BUTTON = 2; // Discord's component type; the others in a row are menus
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** Return the rows of controls of a message, and the element for their errors. */
export function controls(message) {
  const error = el("p.error", { role: "alert" });
  const send = makeSender(message, error);
  const rows = message.components.map((part) => row(part, send));
  return rows.length ? [el("div.components", rows), error] : [];
}

/** Return the function that sends what a control asks for; meanwhile the control is busy. */
export function makeSender(message, error) {
  return async (source, packet) => {
    if (source.ariaBusy === "true") return;
    error.textContent = "";
    model.living = message.id;
    // Not `disabled`, with which the control would lose the focus.
    source.ariaBusy = source.ariaDisabled = "true";
    const { why } = await request({ ...packet, message: message.id });
    source.ariaBusy = source.ariaDisabled = null;
    error.textContent = why ?? "";
  };
}

/** Return a row of buttons, or of one menu. */
export function row({ components }, send) {
  return el("div.row", components.map((part) => (part.type === BUTTON ? button : menu)(part, send)));
}

/** Return a button, or a link that looks like one. */
export function button({ label, style, url, custom_id: id, disabled }, send) {
  if (url && !disabled) return externalLink(url, [label, el("span", { "aria-hidden": "true" }, "↗")], ".button.link");
  const press = ({ currentTarget }) => send(currentTarget, { do: "click", id });
  return el(`button.button.${STYLES[style] ?? "link"}`, { "data-id": id, disabled, onclick: press }, label);
}
