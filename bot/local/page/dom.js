// Making elements. Whatever people or the bot wrote becomes a text node, never markup.

export const find = (id) => document.getElementById(id);

const isGiven = (value) => value !== undefined && value !== null && value !== false;

/** An element such as `el("a.link", { href }, "text", child)`; "on…" are listeners, what is not given is left out. */
export function el(kind, ...children) {
  const [tag, ...classes] = kind.split(".");
  const node = document.createElement(tag);
  const attributes = children[0]?.constructor === Object ? children.shift() : {};
  if (classes.length) node.className = classes.join(" ");
  if (tag === "button") node.type = "button";
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (isGiven(value)) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(isGiven));
  return node;
}

/** What an entry of a list says. */
export function words({ label, description }) {
  return [el("span.label", label), description && el("span.description", description)];
}

/** A round picture of somebody, drawn here: the island for the bot, a letter for people. */
export function avatar({ bot, name, hue }) {
  if (bot) return el("span.avatar.bot", { "aria-hidden": "true" });
  const node = el("span.avatar", { "aria-hidden": "true" }, [...name][0].toUpperCase());
  node.style.setProperty("--hue", hue);
  return node;
}
