// Helpers that make elements. What people or the bot wrote becomes a text node, never markup.

export const find = (id) => document.getElementById(id);

const isGiven = (value) => value !== undefined && value !== null && value !== false;

/** Make an element, as in `el("a.link", { href }, "text", child)`; undefined, null and false are skipped. */
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

/** Replace an element by a new version of it, keeping the focus on the same or a similar control. */
export function replaceElement(old, fresh) {
  const focusable = (node) => [...node.querySelectorAll("a, summary, button:enabled")];
  const focused = document.activeElement;
  const index = focusable(old).indexOf(focused);
  const isControl = Boolean(focused.dataset.id); // in a layout, texts and pictures are beside the controls
  const wasInControls = focused.closest(".components") || (isControl && focused.closest(".layout"));
  old.replaceWith(fresh);
  if (index < 0) return;
  // The pressed button of a panel may be gone with its question. Then the first one of the next
  // question gets the focus: the panel must not lose it.
  const area = wasInControls ? (fresh.querySelector(".components, .layout") ?? el("p")) : fresh;
  const candidates = focusable(area).filter((one) => !wasInControls || one.dataset.id);
  const sameControl = candidates.find((one) => one.dataset.id && one.dataset.id === focused.dataset.id);
  const similar = wasInControls ? candidates[0] : (candidates[index] ?? candidates.at(-1));
  (sameControl ?? similar ?? find("text")).focus({ preventScroll: true });
}

/** Set the children of an element, unless they are the same: it may be pressed at this moment. */
export function setChildren(id, children) {
  const fresh = find(id).cloneNode(false);
  fresh.append(...children);
  if (!fresh.isEqualNode(find(id))) replaceElement(find(id), fresh);
}

/** Return the label and description of a list entry. */
export function entryText({ label, description }) {
  return [el("span.label", label), description && el("span.description", description)];
}

/** Return a round avatar: the island for the bot, a letter for people. */
export function avatar({ bot, name, hue }) {
  const look = { "aria-hidden": "true", "--hue": hue };
  return el(`span.avatar.${bot ? "bot" : ""}`, look, bot ? null : [...name][0].toUpperCase());
}
