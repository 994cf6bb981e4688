// Pictures and other files.

import { el, find } from "./dom.js";
import { away } from "./text.js";

/** Where a file of this server is; files from elsewhere are not loaded. */
function local(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname.startsWith("/attachments/") ? pathname + search : null;
}

/** A picture that a click enlarges. */
export function picture({ url, width, height }, alt) {
  const src = local(url);
  if (!src) return away(url, alt || url);
  const image = el("img", { src, alt: alt ?? "", width, height, decoding: "async" });
  const label = alt ? `Enlarge: ${alt}` : "Enlarge the picture";
  const shown = el("button.picture", { "aria-label": label, onclick: () => enlarge(src, alt) }, image);
  if (width && height) {
    // Its room is kept free until it is there.
    shown.classList.add("sized");
    shown.style.setProperty("--ratio", width / height);
    shown.style.setProperty("--natural", `${width}px`);
  }
  return shown;
}

const dialog = find("picture");
const large = dialog.querySelector("img");
large.addEventListener("click", () => dialog.classList.toggle("full"));

function enlarge(src, alt) {
  large.src = src;
  large.alt = alt ?? "";
  dialog.querySelector("details").hidden = !alt;
  dialog.querySelector("details p").textContent = alt;
  dialog.classList.remove("full");
  dialog.showModal();
}

/** A file that is no picture. */
export function fileLink(url, name) {
  return el("a.file", { href: local(url) ?? url, download: name }, name);
}
