// Messages that consist of components alone: texts, pictures and controls in any arrangement.

import { button, makeSender, row } from "./controls.js";
import { el } from "./dom.js";
import { fileElement, mediaElement } from "./media.js";
import { renderBlocks } from "./text.js";

const LARGE = 2; // Discord's larger spacing of separators

/** Return the components of a layout, and the element for the errors of its controls. */
export function layout(message) {
  const error = el("p.error", { role: "alert" });
  const send = makeSender(message, error);
  return [el("div.layout", drawAll(message.components, send)), error];
}

const drawAll = (parts, send) => parts.map((part) => KINDS[part.type](part, send));

// How components become elements, by Discord's types.
const KINDS = {
  1: row,
  2: button,
  9: section,
  10: ({ content }) => renderBlocks(content),
  11: ({ media, description }) => el("div.thumbnail", mediaElement(media, description)),
  12: gallery,
  13: ({ file, name, size }) => fileElement({ ...file, size, filename: name }),
  14: ({ divider = true, spacing }) => el(`hr.${divider ? "" : "blank"}.${spacing === LARGE ? "large" : ""}`),
  17: container,
};

function section({ components, accessory }, send) {
  return el("div.section", el("div.texts", drawAll(components, send)), drawAll([accessory], send));
}

function gallery({ items }) {
  const pictures = items.map(({ media, description }) => mediaElement(media, description));
  return el(`div.gallery.${items.length > 1 ? "several" : ""}`, pictures);
}

function container({ components, accent_color: color }, send) {
  // Discord draws no bar without a colour.
  const accent = color === undefined || color === null ? false : `#${color.toString(16).padStart(6, "0")}`;
  return el(`div.container.${accent ? "accent" : ""}`, { "--color": accent }, drawAll(components, send));
}
