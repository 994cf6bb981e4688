// Texts as elements. The server has read their markdown; what people wrote are plain strings in its tree.

import { el } from "./dom.js";

// What a node becomes, unless its kind is the very element.
const KINDS = {
  link: ({ href }, inside) => (href.startsWith("#") ? el("a", { href }, inside) : away(href, inside)),
  mention: ({ href, mine }, inside) => {
    return el(`${href ? "a" : "span"}.mention.${mine ? "mine" : ""}`, { href }, inside);
  },
  ol: ({ start }, inside) => el("ol", { start }, inside),
  pre: (node, inside) => el("pre", el("code", inside)),
  subtext: (node, inside) => el("p.subtext", inside),
};

/** The nodes of a text as a list of elements and strings. */
export function text(nodes) {
  return nodes.map((node) => {
    if (typeof node === "string") return node;
    const inside = text(node.inside ?? []);
    return KINDS[node.kind]?.(node, inside) ?? el(node.kind, inside);
  });
}

/** A text with its blocks. */
export function prose(nodes) {
  return el("div.markdown", text(nodes));
}

/** A link that leads away from here. */
function away(href, children) {
  return el("a", { href, target: "_blank", rel: "noopener noreferrer" }, children);
}

/** A time of day, with the date if its style is given. */
export function moment(date, dateStyle) {
  const shown = date.toLocaleString([], { dateStyle, timeStyle: "short" });
  return el("time", { datetime: date.toISOString(), title: date.toLocaleString() }, shown);
}
