// Discord's markdown as elements.

import { el, nameOf } from "./dom.js";
import { model } from "./model.js";

const SPECIAL = /[\\`*_~|<[\n]|https?:\/\//g;

// Tried in this order where a special character stands; each gives what was read and what it means.
const RULES = [
  [/\\([^0-9A-Za-z\s])/y, ([, char]) => char],
  [/(`+)([^]*?[^`])\1(?!`)/y, ([, , code]) => el("code", {}, code.replace(/^ (.+) $/s, "$1"))],
  [/<@!?(\d+)>/y, ([, id]) => mention(id)],
  [/<#(\d+)>/y, ([, id]) => place(id)],
  [/<\/([^:>\n]+):\d+>/y, ([, name]) => el("span", { class: "mention" }, `/${name}`)],
  [/<t:(-?\d+)(?::([tTdDfFR]))?>/y, ([, seconds, style]) => moment(Number(seconds), style)],
  [/<a?:(\w+):\d+>/y, ([, name]) => `:${name}:`],
  [/<(https?:\/\/[^\s>]+)>/y, ([, url]) => link(url, [url])],
  [/\[((?:\\.|[^\]\\\n])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, ([, text, url]) => link(url, inline(text))],
  [/https?:\/\/[^\s<]*[^\s<.,:;"')\]*_~|]/y, ([url]) => link(url, [url])],
  [/\|\|([^]+?)\|\|/y, ([, text]) => spoiler(text)],
  [/\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/sy, ([, text]) => el("strong", {}, ...inline(text))],
  [/__((?:\\.|[^\\])+?)__(?!_)/sy, ([, text]) => el("u", {}, ...inline(text))],
  [/\*(?=\S)((?:\*\*|\\.|[^*\\])+?)\*(?!\*)/sy, ([, text]) => el("em", {}, ...inline(text))],
  [/(?<![0-9A-Za-z_])_((?:__|\\.|[^_\\])+?)_(?![0-9A-Za-z_])/sy, ([, text]) => el("em", {}, ...inline(text))],
  [/~~([^]+?)~~/y, ([, text]) => el("s", {}, ...inline(text))],
  [/\n/y, () => el("br")],
];

function mention(id) {
  const mine = id === model.me ? " mine" : "";
  return el("span", { class: `mention${mine}` }, `@${nameOf(model.users.get(id))}`);
}

function place(id) {
  const channel = model.channels.get(id);
  return el("a", { class: "mention", href: `#${id}` }, `#${channel ? channel.name : "unknown"}`);
}

function link(url, children) {
  // A link to a message of this very server stays here.
  const [, guild, path] = /^https:\/\/discord\.com\/channels\/(\d+)\/(\d+(?:\/\d+)?)$/.exec(url) || [];
  if (guild && guild === model.guild.id) return el("a", { href: `#${path}` }, ...children);
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

function spoiler(text) {
  const inside = el("span", {}, ...inline(text));
  inside.inert = true;
  const cover = el("span", { class: "spoiler", role: "button", tabindex: 0, "aria-label": "Spoiler: show it" }, inside);
  const show = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    cover.className = "spoiler shown";
    for (const name of ["role", "tabindex", "aria-label"]) cover.removeAttribute(name);
    inside.inert = false;
  };
  for (const name of ["click", "keydown"]) cover.addEventListener(name, show, { once: name === "click" });
  return cover;
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** A time as people write it here. */
export function moment(seconds, style = "f") {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return el("time", {}, "an unknown time");
  const full = date.toLocaleString([], STYLES.F);
  let text = date.toLocaleString([], STYLES[style] || STYLES.f);
  if (style === "R") {
    const away = seconds - Date.now() / 1000;
    const [unit, size] = UNITS.find(([, size]) => Math.abs(away) >= size) || UNITS.at(-1);
    text = new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(away / size), unit);
  }
  return el("time", { datetime: date.toISOString(), title: full }, text);
}

/** A line or paragraph as a list of nodes and texts. */
export function inline(text) {
  const found = [];
  let plain = "";
  const put = (piece) => {
    if (typeof piece === "string") plain += piece;
    else {
      if (plain) found.push(plain);
      plain = "";
      found.push(piece);
    }
  };
  for (let at = 0; at < text.length;) {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(text);
    const next = special ? special.index : text.length;
    plain += text.slice(at, next);
    at = next;
    if (at === text.length) break;
    const [match, make] = ruleAt(text, at);
    put(match ? make(match) : text[at]);
    at += match ? match[0].length : 1;
  }
  return plain ? [...found, plain] : found;
}

function ruleAt(text, at) {
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return [match, make];
  }
  return [null, null];
}

const ITEM = /^( *)([-*]|\d+\.) +(.*)$/;
const BLOCKS = [
  [/^(#{1,3}) +(.+)$/, (lines) => heading(lines.shift())],
  [/^-# +(.+)$/, (lines) => el("p", { class: "subtext" }, ...inline(lines.shift().slice(3).trim()))],
  [/^>>> /, (lines) => el("blockquote", {}, ...blocks(lines.splice(0).join("\n").slice(4)))],
  [
    /^> /,
    (lines) =>
      el(
        "blockquote",
        {},
        ...blocks(
          taken(lines, /^> ?/)
            .map((line) => line.replace(/^> ?/, ""))
            .join("\n"),
        ),
      ),
  ],
  [ITEM, (lines) => list(taken(lines, ITEM))],
];

function heading(line) {
  const [, marks, text] = /^(#{1,3}) +(.+)$/.exec(line);
  return el(`h${marks.length + 2}`, {}, ...inline(text));
}

function taken(lines, pattern) {
  const end = lines.findIndex((line) => !pattern.test(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function list(lines) {
  const [, margin, mark] = ITEM.exec(lines[0]);
  const made = /\d/.test(mark) ? el("ol", { start: parseInt(mark, 10) }) : el("ul");
  while (lines.length) {
    const [, , , text] = ITEM.exec(lines.shift());
    const item = el("li", {}, ...inline(text));
    const end = lines.findIndex((line) => ITEM.exec(line)[1].length <= margin.length);
    const nested = lines.splice(0, end < 0 ? lines.length : end);
    if (nested.length) item.append(list(nested));
    made.append(item);
  }
  return made;
}

function blocks(text) {
  const lines = text.split("\n");
  const found = [];
  let prose = [];
  const flush = () => {
    if (prose.length) found.push(el("p", {}, ...inline(prose.join("\n"))));
    prose = [];
  };
  while (lines.length) {
    const [, make] = BLOCKS.find(([pattern]) => pattern.test(lines[0])) || [];
    if (make) {
      flush();
      found.push(make(lines));
    } else prose.push(lines.shift());
  }
  flush();
  return found;
}

/** A text with all its blocks as a list of elements. */
export function markdown(text) {
  const found = [];
  const parts = text.split(/```(?:[\w+#.-]*\n)?([^]+?)\n?```\n?/);
  parts.forEach((part, index) => {
    if (index % 2) found.push(el("pre", {}, el("code", {}, part)));
    else if (part.trim()) found.push(...blocks(part.replace(/\n$/, "")));
  });
  return found;
}
