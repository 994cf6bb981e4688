// Pictures and other files of a message.

import { el, find } from "./dom.js";

const dialog = find("picture");
const large = dialog.querySelector("img");
large.addEventListener("click", () => dialog.classList.toggle("full"));

/** A file as a picture or a link, or what is left of it. */
export function file({ src, size, filename, description, width, height, content_type: type }) {
  if (size === 0) return el("p.subtext", `No longer kept: ${description || filename}`);
  if (type?.startsWith("image/")) return picture(src, width, height, description ?? "");
  return el("a.file", { href: src, download: filename }, filename);
}

/** A picture that a click enlarges; its room is kept free until it is there. */
function picture(src, width, height, alt) {
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
