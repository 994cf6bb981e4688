// The element of a message: author, text, embeds, pictures, buttons.

import { controls } from "./controls.js";
import { avatar, el } from "./dom.js";
import { layout } from "./layout.js";
import { attachmentElement } from "./media.js";
import { request } from "./socket.js";
import { render, renderBlocks, timeElement } from "./text.js";

const THREAD_CREATED = 18; // Discord's type of the message that announces a thread

/** Return the element of a message. */
export function messageElement(message) {
  if (message.type === THREAD_CREATED) return threadLine(message);
  const { id, author, thread } = message;
  const when = new Date(message.timestamp);
  const date = when.toDateString() === new Date().toDateString() ? undefined : "short";
  return el(
    `article.message.${message.private ? "private" : ""}.${message.calls ? "calls" : ""}`,
    { id: `m${id}`, "aria-label": `${author.name}, ${when.toLocaleTimeString()}` },
    message.used && usedLine(message.used),
    avatar(author),
    el("div.head", el("span.author", author.name), author.bot && el("span.app", "APP"), timeElement(when, date)),
    message.layout ? layout(message) : plainContent(message),
    thread && el("a.chip", { href: `#${thread.id}` }, el("b", thread.name), el("span", "Open the thread ›")),
    message.private && ephemeralNote(id),
  );
}

function plainContent(message) {
  return [
    message.thinking ? thinkingLine(message.author) : renderBlocks(message.content),
    message.attachments.map(attachmentElement),
    message.embeds.map(embed),
    controls(message),
  ].flat();
}

function usedLine({ user, name }) {
  return el("div.used", avatar(user), el("b", user.name), " used ", el("span.mention", `/${name}`));
}

function thinkingLine({ name }) {
  const dots = el("span.dots", { "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  return el("p.thinking", dots, `${name} is thinking…`);
}

function embed({ title, description, fields, footer, color }) {
  return el(
    "section.embed",
    { "--color": color !== undefined && `#${color.toString(16).padStart(6, "0")}` },
    title && el("h3", render(title)),
    description && renderBlocks(description),
    fields && el("dl", fields.map(embedField)),
    footer && el("p.footer", footer.text),
  );
}

function embedField({ name, value, inline }) {
  return el(`div.${inline ? "inline" : ""}`, el("dt", render(name)), el("dd.markdown", render(value)));
}

function threadLine({ id, author, content, message_reference: thread }) {
  const link = el("a", { href: `#${thread?.channel_id}` }, render(content));
  const line = el("p", el("b", author.name), " started a thread: ", link);
  return el("article.message.line", { id: `m${id}` }, line);
}

function ephemeralNote(message) {
  const onclick = () => request({ do: "dismiss", message });
  return el("p.privacy", "Only you can see this · ", el("button.plain", { onclick }, "Dismiss message"));
}
