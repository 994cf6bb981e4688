// Making elements. Whatever people or the bot wrote becomes a text node, never markup.

export const find = (id) => document.getElementById(id);

const isGiven = (value) => value !== undefined && value !== null && value !== false;

/** An element such as `el("a.link", { href }, "text", child)`; what is not given or empty is left out. */
export function el(kind, ...children) {
  const [tag, ...classes] = kind.split(".").filter(Boolean);
  const node = document.createElement(tag);
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  if (classes.length) node.className = classes.join(" ");
  if (tag === "button") node.type = "button";
  for (const [name, value] of Object.entries(attributes).filter(([, value]) => isGiven(value))) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) node.style.setProperty(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(isGiven));
  return node;
}

/** Put a fresh element where an old one was; the focus stays at the same control, or goes to one that does as much. */
export function swap(old, fresh) {
  const stops = (node) => [...node.querySelectorAll("a, summary, button:enabled")];
  const focused = document.activeElement;
  const at = stops(old).indexOf(focused);
  const wasInControls = focused.closest(".components");
  old.replaceWith(fresh);
  if (at < 0) return;
  // What was pressed in a panel may be gone with its question: then its next one, never a way out of the panel.
  const all = stops(wasInControls ? (fresh.querySelector(".components") ?? el("p")) : fresh);
  const same = all.find((one) => one.dataset.id && one.dataset.id === focused.dataset.id);
  (same ?? (wasInControls ? all[0] : (all[at] ?? all.at(-1))) ?? find("text")).focus({ preventScroll: true });
}

/** Let an element have these children; what has not changed is left alone, be it pressed just now. */
export function fill(id, children) {
  const fresh = find(id).cloneNode(false);
  fresh.append(...children);
  if (!fresh.isEqualNode(find(id))) swap(find(id), fresh);
}

/** What an entry of a list says. */
export function words({ label, description }) {
  return [el("span.label", label), description && el("span.description", description)];
}

/** A round picture of somebody, drawn here: the island for the bot, a letter for people. */
export function avatar({ bot, name, hue }) {
  const look = { "aria-hidden": "true", "--hue": hue };
  return el(`span.avatar.${bot ? "bot" : ""}`, look, bot ? null : [...name][0].toUpperCase());
}
