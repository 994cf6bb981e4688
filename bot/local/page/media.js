// Pictures and other files. What is kept elsewhere has no `src` here and is not loaded.

import { el, find } from "./dom.js";
import { away } from "./text.js";

const dialog = find("picture");
const large = dialog.querySelector("img");
large.addEventListener("click", () => dialog.classList.toggle("full"));

/** A picture that a click enlarges; its room is kept free until it is there. */
export function picture({ src, url, width, height, description: alt = "" }) {
  if (!src) return away(url, alt || url);
  const room = width && height ? { "--ratio": width / height, "--natural": `${width}px` } : {};
  const label = alt ? `Enlarge: ${alt}` : "Enlarge the picture";
  return el(
    `button.picture.${width && height ? "sized" : ""}`,
    { "aria-label": label, onclick: () => enlarge(src, alt), ...room },
    el("img", { src, alt, width, height, decoding: "async" }),
  );
}

function enlarge(src, alt) {
  Object.assign(large, { src, alt });
  dialog.querySelector("details").hidden = !alt;
  dialog.querySelector("details p").textContent = alt;
  dialog.classList.remove("full");
  dialog.showModal();
}

/** A file as a picture or a link, or what is left of it. */
export function file(data) {
  const { src, url, size, filename, description, content_type: type } = data;
  if (size === 0) return el("p.subtext", `No longer kept: ${description || filename}`);
  if (type?.startsWith("image/")) return picture(data);
  return el("a.file", { href: src ?? url, download: filename }, filename ?? url);
}
