// One message: who said it, its text, embeds, pictures, buttons.

import { controls } from "./controls.js";
import { avatar, el, nameOf } from "./dom.js";
import { inline, markdown } from "./markdown.js";
import { fileLink, picture } from "./media.js";
import { isPrivate, isThinking, model } from "./model.js";

const TOGETHER = 7 * 60 * 1000;
const TOKEN = 15 * 60 * 1000;
const THREAD_CREATED = 18;

/** Whether a message goes on where the one before stopped, without a new head. */
export function follows(message, before) {
  return (
    Boolean(before) &&
    before.author.id === message.author.id &&
    before.type !== THREAD_CREATED &&
    message.type === 0 &&
    !message.interaction_metadata &&
    isPrivate(message) === isPrivate(before) &&
    new Date(message.timestamp) - new Date(before.timestamp) < TOGETHER
  );
}

/** The element of a message. `line` carries what is done to it, `old` is what it looked like before. */
export function show(message, line, { together = false, old = null } = {}) {
  if (message.type === THREAD_CREATED) return threadLine(message);
  const author = model.users.get(message.author.id) || message.author;
  const pinged = message.mentions.some((user) => user.id === model.me);
  const kind = ["message", together && "together", isPrivate(message) && "private", pinged && "calls"];
  const when = new Date(message.timestamp);
  const node = el(
    "article",
    { id: `m${message.id}`, class: kind.filter(Boolean).join(" "), "aria-label": `${nameOf(author)}, ${clock(when)}` },
    used(message),
    avatar(author),
    el(
      "div",
      { class: "head" },
      el("span", { class: "author" }, nameOf(author)),
      author.bot && el("span", { class: "app" }, "APP"),
      time(when),
    ),
    isThinking(message) ? thinking(message) : el("div", { class: "markdown" }, ...markdown(message.content)),
    ...files(message, old),
    ...message.embeds.map(embed),
    ...controls(message, (packet) => line.ask(packet)),
    message.thread && chip(message.thread),
    isPrivate(message) && privacy(message, line),
  );
  return node;
}

function clock(when) {
  return when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}

function time(when) {
  const today = when.toDateString() === new Date().toDateString();
  const shown = today ? clock(when) : when.toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  return el("time", { datetime: when.toISOString(), title: when.toLocaleString() }, shown);
}

function used(message) {
  const about = message.interaction_metadata;
  if (!about || !about.name) return null;
  const who = model.users.get(about.user.id) || about.user;
  return el(
    "div",
    { class: "used" },
    avatar(who),
    el("b", {}, nameOf(who)),
    " used ",
    el("span", { class: "mention" }, `/${about.name}`),
  );
}

function thinking(message) {
  if (Date.now() - new Date(message.timestamp) > TOKEN) return el("p", { class: "error" }, "This interaction failed");
  const dots = el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  return el("p", { class: "thinking" }, dots, `${nameOf(message.author)} is thinking…`);
}

function files(message, old) {
  const inEmbeds = JSON.stringify(message.embeds) + JSON.stringify(message.components);
  return message.attachments
    .filter((file) => !inEmbeds.includes(file.url))
    .map((file) => {
      if (!(file.content_type || "").startsWith("image/")) return fileLink(file.url, file.filename, file.size);
      const before = old && [...old.querySelectorAll(".picture")].find((other) => other.dataset.file === file.id);
      const shown = before || picture(file, file.description);
      shown.dataset.file = file.id;
      return shown;
    });
}

function embed(data) {
  const box = el(
    "section",
    { class: "embed" },
    data.author && el("p", { class: "by" }, data.author.name),
    data.title && el("h3", {}, ...inline(data.title)),
    data.description && el("div", { class: "markdown" }, ...markdown(data.description)),
    data.fields && el("dl", {}, ...data.fields.map(embedField)),
    data.image && picture(data.image, data.image.description || data.title),
    data.thumbnail && el("div", { class: "thumbnail" }, picture(data.thumbnail, data.title)),
    data.footer && el("p", { class: "footer" }, data.footer.text),
  );
  if (data.color !== undefined) box.style.borderLeftColor = `#${data.color.toString(16).padStart(6, "0")}`;
  return box;
}

function embedField(field) {
  const value = el("dd", { class: "markdown" }, ...markdown(field.value));
  return el("div", { class: field.inline ? "inline" : "" }, el("dt", {}, ...inline(field.name)), value);
}

function chip(thread) {
  const known = model.channels.get(thread.id) || thread;
  return el(
    "a",
    { class: "chip", href: `#${thread.id}` },
    el("b", {}, known.name),
    el("span", {}, "Open the thread ›"),
  );
}

function threadLine(message) {
  const id = message.message_reference && message.message_reference.channel_id;
  const text = [
    el("b", {}, nameOf(message.author)),
    " started a thread: ",
    el("a", { href: `#${id}` }, message.content),
  ];
  return el("article", { id: `m${message.id}`, class: "message line" }, el("p", {}, ...text));
}

function privacy(message, line) {
  const dismiss = el(
    "button",
    { type: "button", class: "plain", onclick: () => line.tell({ do: "dismiss", message: message.id }) },
    "Dismiss message",
  );
  return el("p", { class: "privacy" }, "Only you can see this · ", dismiss);
}

/** A line of this page's own about something that the player did. */
export function notice(text, { error = false, dismiss = null } = {}) {
  const button = dismiss && el("button", { type: "button", class: "plain", onclick: dismiss }, "Dismiss message");
  return el(
    "article",
    { class: "message notice private" },
    el("p", { class: error ? "error" : "thinking", role: error ? "alert" : "status" }, text),
    button,
  );
}
