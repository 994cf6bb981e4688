// Making elements. Whatever people or the bot wrote becomes a text node, never markup.

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#5865f2", "#c2410c", "#15803d", "#a21caf", "#0e7490", "#b91c1c", "#7c3aed", "#a16207"];

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An element; attributes beginning with "on" are listeners, and those that are false are left out. */
export function el(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

/** Let a parent have exactly these children, moving only what is out of place. */
export function arrange(parent, nodes) {
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function initials(name) {
  const words = name.split(/\s+/);
  const letters = words.length > 1 ? [...words[0]][0] + [...words.at(-1)][0] : [...name].slice(0, 1).join("");
  return letters.toUpperCase();
}

/** A round picture of somebody, drawn here: an island for the bot, initials for people. */
export function avatar(user) {
  const sum = [...user.id].reduce((total, digit) => (total * 7 + Number(digit)) % 9973, 0);
  const picture = svg("svg", { class: "avatar", viewBox: "0 0 40 40", "aria-hidden": "true" });
  if (user.bot) {
    picture.append(
      svg("circle", { cx: 20, cy: 20, r: 20, fill: "#2a7f8e" }),
      svg("path", { d: "M9 27q6-8 11-8t11 8z", fill: "#f2d9a0" }),
      svg("path", { d: "M20 20q1-6-1-10m0 0q-5-2-7 2m7-2q1-5 6-3m-6 3q5-1 7 3", class: "palm" }),
      svg("path", { d: "M7 30q3.500-3 6.500 0t6.500 0 6.500 0 6.500 0", class: "wave" }),
    );
  } else {
    const letters = svg("text", { x: 20, y: 26, "text-anchor": "middle", class: "initials" }, initials(nameOf(user)));
    picture.append(svg("circle", { cx: 20, cy: 20, r: 20, fill: COLOURS[sum % COLOURS.length] }), letters);
  }
  return picture;
}

/** What somebody is called. */
export function nameOf(user) {
  return user ? user.global_name || (user.bot ? "Motu" : user.username) : "somebody";
}

/** Which of two ids is older: negative if the first is. */
export function byAge(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
