// What can be pressed and chosen in a message.

import { el } from "./dom.js";
import { menu } from "./menu.js";
import { ask } from "./socket.js";

const BUTTON = 2; // Discord's number of the component; the other one that there is, is a menu
const LOOKS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** The rows of controls of a message, and the place where it says that something failed. */
export function controls(message) {
  const error = el("p.error", { role: "alert" });
  const act = async (source, packet) => {
    if (source.ariaBusy === "true") return;
    error.textContent = "";
    source.ariaBusy = "true";
    const { why } = await ask({ ...packet, message: message.id });
    source.ariaBusy = null;
    error.textContent = why ?? "";
  };
  const control = (part) => (part.type === BUTTON ? button(part, act) : menu(part, act));
  const rows = message.components.map((row) => el("div.row", row.components.map(control)));
  return rows.length ? [el("div.components", rows), error] : [];
}

function button({ label, style, custom_id: id, disabled }, act) {
  const press = ({ currentTarget }) => act(currentTarget, { do: "click", id });
  return el(`button.button.${LOOKS[style]}`, { "data-id": id, disabled, onclick: press }, label);
}
