// One message: who said it, its text, embeds, pictures, buttons.

import { controls } from "./controls.js";
import { avatar, el } from "./dom.js";
import { tell } from "./line.js";
import { fileLink, picture } from "./media.js";
import { isPrivate, model } from "./model.js";
import { moment, prose, text } from "./text.js";

const THREAD_CREATED = 18;
const THINKING = 128;

/** The element of a message. */
export function show(message) {
  if (message.type === THREAD_CREATED) return threadLine(message);
  const { author, id } = message;
  const when = new Date(message.timestamp);
  const date = when.toDateString() === new Date().toDateString() ? undefined : "short";
  const node = el(
    "article.message",
    { id: `m${id}`, "aria-label": `${author.name}, ${when.toLocaleTimeString()}` },
    used(message.interaction_metadata),
    avatar(author),
    el("div.head", el("span.author", author.name), author.bot && el("span.app", "APP"), moment(when, date)),
    message.flags & THINKING ? thinking(author) : prose(message.content),
    message.files.map(file),
    message.embeds.map(embed),
    controls(message),
    message.thread && chip(message.thread),
    isPrivate(message) && privacy(id),
  );
  node.classList.toggle("private", isPrivate(message));
  node.classList.toggle("calls", message.calls);
  return node;
}

function used(interaction) {
  if (!interaction?.name) return null;
  const { user, name } = interaction;
  return el("div.used", avatar(user), el("b", user.name), " used ", el("span.mention", `/${name}`));
}

function thinking(author) {
  const dots = el("span.dots", { "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  return el("p.thinking", dots, `${author.name} is thinking…`);
}

function file(data) {
  const { url, size, filename, description } = data;
  if (!size) return el("p.subtext", `No longer kept: ${description ?? filename}`);
  return data.content_type?.startsWith("image/") ? picture(data, description) : fileLink(url, filename);
}

function embed(data) {
  const box = el(
    "section.embed",
    data.author && el("p", data.author.name),
    data.title && el("h3", text(data.title)),
    data.description && prose(data.description),
    data.fields && el("dl", data.fields.map(embedField)),
    data.image && picture(data.image, data.image.description),
    data.thumbnail && picture(data.thumbnail, data.thumbnail.description),
    data.footer && el("p.footer", data.footer.text),
  );
  if (data.color !== undefined) box.style.borderLeftColor = `#${data.color.toString(16).padStart(6, "0")}`;
  return box;
}

function embedField({ name, value, inline: isInline }) {
  return el(isInline ? "div.inline" : "div", el("dt", text(name)), el("dd.markdown", text(value)));
}

function chip(thread) {
  const { name } = model.channels.get(thread.id) ?? thread;
  return el("a.chip", { href: `#${thread.id}` }, el("b", name), el("span", "Open the thread ›"));
}

function threadLine({ id, author, content, message_reference: thread }) {
  const link = el("a", { href: `#${thread?.channel_id}` }, content);
  return el("article.message.line", { id: `m${id}` }, el("p", el("b", author.name), " started a thread: ", link));
}

function privacy(message) {
  const dismiss = () => tell({ do: "dismiss", message });
  return el("p.privacy", "Only you can see this · ", el("button.plain", { onclick: dismiss }, "Dismiss message"));
}
