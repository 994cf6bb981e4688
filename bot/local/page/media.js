// Pictures and other files.

import { el } from "./dom.js";

/** Where a file of this server is; pictures from elsewhere are not loaded. */
function local(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname.startsWith("/attachments/") ? pathname + search : null;
}

/** A picture that a click enlarges. */
export function picture({ url, width, height }, description) {
  const src = local(url);
  if (!src) return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, description || url);
  const alt = description || "";
  const image = el("img", { src, alt, width, height, decoding: "async" });
  const said = alt ? `Enlarge: ${alt}` : "Enlarge the picture";
  const shown = el(
    "button",
    { type: "button", class: "picture", "aria-label": said, onclick: () => enlarge(src, alt) },
    image,
  );
  if (width && height) {
    // Its room is kept free until it is there.
    shown.classList.add("sized");
    shown.style.setProperty("--ratio", width / height);
    shown.style.setProperty("--natural", `${width}px`);
  }
  return shown;
}

function enlarge(src, alt) {
  const dialog = document.getElementById("picture");
  const image = el("img", { src, alt, title: "Click for its full size" });
  image.addEventListener("click", () => dialog.classList.toggle("full"));
  const close = el(
    "button",
    { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() },
    "✕",
  );
  const words = alt ? [el("details", {}, el("summary", {}, "Description"), el("p", {}, alt))] : [];
  dialog.classList.remove("full");
  dialog.replaceChildren(close, image, ...words);
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
}

/** A file that is no picture. */
export function fileLink(url, name, size) {
  const src = local(url);
  const bytes = size === undefined ? "" : size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(1)} KB`;
  return el("a", { class: "file", href: src || url, download: name }, el("span", {}, name), el("small", {}, bytes));
}
