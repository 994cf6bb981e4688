// Discord's markdown as elements.

import { el, nameOf } from "./dom.js";
import { away } from "./media.js";
import { model } from "./model.js";

// Within a line: the first rule that fits at a place says what stands there.
const RULES = [
  [/\\([^0-9A-Za-z\s])/y, ([, char]) => char],
  [/(`+)([^]*?[^`])\1(?!`)/y, ([, , code]) => el("code", code.replace(/^ (.+) $/s, "$1"))],
  [/<@!?(\d+)>/y, ([, id]) => mention(id)],
  [/<#(\d+)>/y, ([, id]) => el("a.mention", { href: `#${id}` }, `#${model.channels.get(id)?.name ?? "unknown"}`)],
  [/<\/([^:>\n]+):\d+>/y, ([, name]) => el("span.mention", `/${name}`)],
  [/<t:(-?\d+)(?::[tTdDfFR])?>/y, ([, seconds]) => moment(Number(seconds))],
  [/<a?:(\w+):\d+>/y, ([, name]) => `:${name}:`],
  [/<(https?:\/\/[^\s>]+)>/y, ([, url]) => link(url, url)],
  [/\[((?:\\.|[^\]\\\n])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, ([, text, url]) => link(url, inline(text))],
  [/https?:\/\/[^\s<]*[^\s<.,:;"')\]*_~|]/y, ([url]) => link(url, url)],
  [/\|\|([^]+?)\|\|/y, ([, text]) => spoiler(text)],
  [/\*\*((?:\\.|[^\\])+?)\*\*(?!\*)/sy, ([, text]) => el("strong", inline(text))],
  [/__((?:\\.|[^\\])+?)__(?!_)/sy, ([, text]) => el("u", inline(text))],
  [/\*(?=\S)((?:\*\*|\\.|[^*\\])+?)\*(?!\*)/sy, ([, text]) => el("em", inline(text))],
  [/(?<![0-9A-Za-z_])_((?:__|\\.|[^_\\])+?)_(?![0-9A-Za-z_])/sy, ([, text]) => el("em", inline(text))],
  [/~~([^]+?)~~/y, ([, text]) => el("s", inline(text))],
  [/\n/y, () => el("br")],
];

function mention(id) {
  return el(id === model.me ? "span.mention.mine" : "span.mention", `@${nameOf(model.users.get(id))}`);
}

function link(url, children) {
  // A link to a message of this very server stays here.
  const [, guild, path] = /^https:\/\/discord\.com\/channels\/(\d+)\/(\d+(?:\/\d+)?)$/.exec(url) ?? [];
  return guild && guild === model.guild.id ? el("a", { href: `#${path}` }, children) : away(url, children);
}

function spoiler(text) {
  const cover = el("input", { type: "checkbox", "aria-label": "Show the spoiler" });
  return el("label.spoiler", cover, el("span", inline(text)));
}

function moment(seconds) {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  const shown = date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return el("time", { datetime: date.toISOString() }, shown);
}

/** A line or paragraph as a list of elements and texts. */
export function inline(text) {
  const found = [];
  for (let at = 0; at < text.length;) {
    const [piece, length] = pieceAt(text, at);
    if (typeof piece === "string" && typeof found.at(-1) === "string") found.push(found.pop() + piece);
    else found.push(piece);
    at += length;
  }
  return found;
}

function pieceAt(text, at) {
  for (const [pattern, make] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return [make(match), match[0].length];
  }
  return [text[at], 1];
}

// By lines: each block takes its own from the front.
const ITEM = /^( *)([-*]|\d+\.) +(.*)$/;
const HEADING = /^(#{1,3}) +(.+)$/;
const SUBTEXT = /^-# +(.+)$/;
const QUOTE = /^> /;
const REST_IS_QUOTE = /^>>> /;

function isProse(line) {
  return ![ITEM, HEADING, SUBTEXT, QUOTE, REST_IS_QUOTE].some((pattern) => pattern.test(line));
}

/** The first lines for as long as they are of a kind. */
function taken(lines, isSuch) {
  const end = lines.findIndex((line) => !isSuch(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function block(lines) {
  const [line] = lines;
  if (isProse(line)) return el("p", inline(taken(lines, isProse).join("\n")));
  if (ITEM.test(line)) return list(taken(lines, (one) => ITEM.test(one)));
  if (REST_IS_QUOTE.test(line)) return el("blockquote", blocks(lines.splice(0).join("\n").slice(4)));
  if (QUOTE.test(line)) {
    const quoted = taken(lines, (one) => /^> ?/.test(one));
    return el("blockquote", blocks(quoted.map((one) => one.replace(/^> ?/, "")).join("\n")));
  }
  lines.shift();
  if (SUBTEXT.test(line)) return el("p.subtext", inline(SUBTEXT.exec(line)[1]));
  const [, marks, text] = HEADING.exec(line);
  return el(`h${marks.length + 2}`, inline(text));
}

function list(lines) {
  const [, margin, mark] = ITEM.exec(lines[0]);
  const made = /\d/.test(mark) ? el("ol", { start: parseInt(mark, 10) }) : el("ul");
  while (lines.length) {
    const item = el("li", inline(ITEM.exec(lines.shift())[3]));
    const nested = taken(lines, (line) => ITEM.exec(line)[1].length > margin.length);
    if (nested.length) item.append(list(nested));
    made.append(item);
  }
  return made;
}

function blocks(text) {
  const lines = text.split("\n");
  const found = [];
  while (lines.length) found.push(block(lines));
  return found;
}

/** A text with all its blocks as a list of elements. */
export function markdown(text) {
  const parts = text.split(/```(?:[\w+#.-]*\n)?([^]+?)\n?```\n?/);
  return parts.flatMap((part, index) => {
    if (index % 2) return [el("pre", el("code", part))];
    return part.trim() ? blocks(part.replace(/\n$/, "")) : [];
  });
}
