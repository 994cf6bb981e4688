// The pictures and other files of a message.

import { el, find } from "./dom.js";
import { externalLink } from "./text.js";

const dialog = find("picture");
const large = dialog.querySelector("img");
large.addEventListener("click", () => dialog.classList.toggle("full"));

/** Return a file of a message as a picture or a link. */
export function attachmentElement(file) {
  return file.content_type?.startsWith("image/") ? mediaElement(file, file.description) : fileElement(file);
}

/** Return a link to a file; of a file that the server dropped, its name. */
export function fileElement({ src, size, filename }) {
  return size === 0 ? dropped(filename) : el("a.file", { href: src, download: filename }, filename);
}

/** Return a picture; of one that the server dropped, its alt text. */
export function mediaElement({ src, size, filename, width, height }, description) {
  if (size === 0) return dropped(description || filename);
  // The page loads nothing from other sites.
  if (!src.startsWith("/")) return externalLink(src, description || "Picture on another site");
  return picture(src, width, height, description ?? "");
}

const dropped = (name) => el("p.subtext", `No longer kept: ${name || "a file"}`);

/** Return a picture that a click enlarges; its size is reserved while it loads. */
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
