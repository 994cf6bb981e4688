// Turns texts into elements. The server has parsed their markdown into nodes; strings are plain text.

import { el } from "./dom.js";
import { tableTime } from "./model.js";

// How nodes become elements; other kinds are names of elements, such as "strong".
const KINDS = {
  link: ({ href }, inside) => (href.startsWith("#") ? el("a", { href }, inside) : externalLink(href, inside)),
  mention: ({ href, mine }, inside) => {
    return el(`${href ? "a" : "span"}.mention.${mine ? "mine" : ""}`, { href }, inside);
  },
  ol: ({ start }, inside) => el("ol", { start }, inside),
  pre: (node, inside) => el("pre", el("code", inside)),
  subtext: (node, inside) => el("p.subtext", inside),
  time: ({ at, style }) => {
    const when = new Date(at * 1000);
    const attributes = { datetime: when.toISOString(), title: when.toLocaleString(), "data-style": style };
    return el("time.stamp", attributes, formatTime(when, style));
  },
};

// Discord's timestamp styles; R, such as "in 3 hours", is relative to the table's time.
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

function formatTime(when, style) {
  if (style !== "R") return when.toLocaleString([], STYLES[style]);
  const seconds = Math.round((when - tableTime()) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return new Intl.RelativeTimeFormat([], { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** Update all relative times. */
export function updateRelativeTimes() {
  for (const node of document.querySelectorAll("time.stamp[data-style=R]")) {
    node.textContent = formatTime(new Date(node.dateTime), "R");
  }
}

/** Return the elements and strings for nodes. */
export function render(nodes) {
  return nodes.map((node) => {
    if (typeof node === "string") return node;
    const inside = render(node.inside ?? []);
    return KINDS[node.kind]?.(node, inside) ?? el(node.kind, inside);
  });
}

/** Return the element for a text with blocks such as lists. */
export function renderBlocks(nodes) {
  return el("div.markdown", render(nodes));
}

/** Return a link to another site, which opens in a new tab. */
export function externalLink(href, children, classes = "") {
  return el(`a${classes}`, { href, target: "_blank", rel: "noopener noreferrer" }, children);
}

/** Return the element for a time of day, with the date if its style is given. */
export function timeElement(date, dateStyle) {
  const shown = date.toLocaleString([], { dateStyle, timeStyle: "short" });
  return el("time", { datetime: date.toISOString(), title: date.toLocaleString() }, shown);
}
