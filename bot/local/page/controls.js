// What can be pressed and chosen in a message, and the layout around it.

import { el } from "./dom.js";
import { ask } from "./line.js";
import { file, picture } from "./media.js";
import { menu } from "./menu.js";
import { away, prose } from "./text.js";

const LOOKS = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };
const LINK = 5;

// By Discord's number of the component; what has none is a menu.
const KINDS = {
  1: (part, act) => el("div.row", inside(part, act)),
  2: button,
  9: (part, act) => el("div.section", el("div", inside(part, act)), component(part.accessory, act)),
  10: (part) => prose(part.content),
  11: (part) => picture(part.media),
  12: (part) => el("div.gallery", part.items.map((item) => picture(item.media))),
  13: (part) => file(part.file),
  14: () => el("hr"),
  17: (part, act) => el("div.container", inside(part, act)),
};

/** The components of a message, and the place where it says that something failed. */
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
  const shown = inside(message, act);
  return shown.length ? [el("div.components", shown), error] : [];
}

function inside({ components }, act) {
  return components.map((part) => component(part, act));
}

function component(part, act) {
  return (KINDS[part.type] ?? menu)(part, act);
}

function button({ emoji, label, style, url, custom_id: id, disabled }, act) {
  const text = [emoji?.name, label].filter(Boolean).join(" ");
  if (style === LINK) return el("span.button", away(url, `${text} ↗`));
  const press = ({ currentTarget }) => act(currentTarget, { do: "click", id });
  return el(`button.button.${LOOKS[style]}`, { "data-id": id, disabled, onclick: press }, text);
}
