// One message: who said it, its text, embeds, pictures, buttons.

import { controls } from "./controls.js";
import { avatar, el } from "./dom.js";
import { file } from "./media.js";
import { ask } from "./socket.js";
import { moment, prose, text } from "./text.js";

const THREAD_CREATED = 18;

/** The element of a message. */
export function show(message) {
  if (message.type === THREAD_CREATED) return threadLine(message);
  const { id, author, thread } = message;
  const when = new Date(message.timestamp);
  const date = when.toDateString() === new Date().toDateString() ? undefined : "short";
  return el(
    `article.message.${message.private ? "private" : ""}.${message.calls ? "calls" : ""}`,
    { id: `m${id}`, "aria-label": `${author.name}, ${when.toLocaleTimeString()}` },
    message.used && used(message.used),
    avatar(author),
    el("div.head", el("span.author", author.name), author.bot && el("span.app", "APP"), moment(when, date)),
    message.thinking ? thinking(author) : prose(message.content),
    message.attachments.map(file),
    message.embeds.map(embed),
    controls(message),
    thread && el("a.chip", { href: `#${thread.id}` }, el("b", thread.name), el("span", "Open the thread ›")),
    message.private && privacy(id),
  );
}

function used({ user, name }) {
  return el("div.used", avatar(user), el("b", user.name), " used ", el("span.mention", `/${name}`));
}

function thinking({ name }) {
  const dots = el("span.dots", { "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  return el("p.thinking", dots, `${name} is thinking…`);
}

function embed({ title, description, fields, footer, color }) {
  return el(
    "section.embed",
    { "--color": color !== undefined && `#${color.toString(16).padStart(6, "0")}` },
    title && el("h3", text(title)),
    description && prose(description),
    fields && el("dl", fields.map(embedField)),
    footer && el("p.footer", footer.text),
  );
}

function embedField({ name, value, inline }) {
  return el(`div.${inline ? "inline" : ""}`, el("dt", text(name)), el("dd.markdown", text(value)));
}

function threadLine({ id, author, content, message_reference: thread }) {
  const link = el("a", { href: `#${thread?.channel_id}` }, text(content));
  const line = el("p", el("b", author.name), " started a thread: ", link);
  return el("article.message.line", { id: `m${id}` }, line);
}

function privacy(message) {
  const onclick = () => ask({ do: "dismiss", message });
  return el("p.privacy", "Only you can see this · ", el("button.plain", { onclick }, "Dismiss message"));
}
