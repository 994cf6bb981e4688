// Texts as elements. The server has read their markdown; what people wrote are plain strings in its tree.

import { el } from "./dom.js";
import { tableTime } from "./model.js";

// What a node becomes, unless its kind is the very element.
const KINDS = {
  link: ({ href }, inside) => (href.startsWith("#") ? el("a", { href }, inside) : away(href, inside)),
  mention: ({ href, mine }, inside) => {
    return el(`${href ? "a" : "span"}.mention.${mine ? "mine" : ""}`, { href }, inside);
  },
  ol: ({ start }, inside) => el("ol", { start }, inside),
  pre: (node, inside) => el("pre", el("code", inside)),
  subtext: (node, inside) => el("p.subtext", inside),
  time: ({ at, style }) => {
    const when = new Date(at * 1000);
    return el("time.stamp", { datetime: when.toISOString(), title: when.toLocaleString(), "data-style": style }, told(when, style));
  },
};

// Discord's styles of times; R is told from now.
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

function told(when, style) {
  if (style !== "R") return when.toLocaleString([], STYLES[style]);
  const seconds = Math.round((when - tableTime()) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat([], { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** Times that are told from now, told anew. */
export function retell() {
  for (const node of document.querySelectorAll("time.stamp[data-style=R]")) {
    node.textContent = told(new Date(node.dateTime), "R");
  }
}

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
