// The messages of the open channel, newest last.

import { el, find } from "./dom.js";
import { ask, tell } from "./line.js";
import { show } from "./message.js";
import { isArchived, isNewer, isPrivate, isThread, isUnread, model, noteSeen, title } from "./model.js";

const NEAR = 80; // pixels from the end that still count as there
const FOUND = 2000; // milliseconds that a message that was asked for stands out

const scroller = find("messages");
const log = find("log");

// It is laid out from its end: 0 is the end, and what comes in above or below moves nothing out of sight.
const isAtEnd = () => scroller.scrollTop > -NEAR;

function toEnd() {
  scroller.scrollTop = 0;
}

/** Show the channel that the address names, and the message in it. */
export async function enter() {
  const [id, message] = location.hash.slice(1).split("/");
  const channel = model.channels.get(id);
  if (!channel) return goHome();
  if (id !== model.open) {
    model.open = id;
    drawPlace();
    await load(channel);
  }
  return message && showMessage(message);
}

/** Go to the first channel. */
export function goHome() {
  const first = [...model.channels.values()].find((channel) => channel.type === 0);
  if (first) location.hash = first.id;
}

/** Say which channel this is. */
export function drawPlace() {
  const channel = model.channels.get(model.open);
  const parent = model.channels.get(channel.parent_id);
  const name = `${channel.type === 0 ? "# " : ""}${title(channel)}`;
  const trail = parent ? [el("a", { href: `#${parent.id}` }, `# ${parent.name}`), " › "] : [];
  find("place").replaceChildren(...trail, name);
  find("text").placeholder = `Message ${name.replace("# ", "#")}`;
  find("archived").hidden = !isArchived(channel);
  find("composer").hidden = isArchived(channel);
  find("welcome").querySelector("h2").textContent = name;
  find("welcome").classList.toggle("thread", isThread(channel));
}

async function load(channel) {
  const seen = isUnread(channel) ? channel.seen : null;
  log.replaceChildren();
  const messages = await history(channel.id);
  log.replaceChildren(...messages.map(show));
  const firstNew = seen && messages.find((message) => isNewer(message.id, seen) && !isPrivate(message));
  if (firstNew) find(`m${firstNew.id}`).before(el("div.new", { role: "separator" }, el("span", "New")));
  toEnd();
}

/** A page of messages, those before `before` if it is given. */
async function history(channel, before) {
  const answer = await ask({ do: "history", channel, before });
  if (channel !== model.open || answer.t !== "history") return [];
  find("older").hidden = !answer.more;
  find("welcome").hidden = answer.more;
  return answer.messages;
}

/** Show older messages; says whether there were any. */
async function older() {
  const messages = await history(model.open, log.querySelector("article[id]").id.slice(1));
  log.prepend(...messages.map(show));
  return messages.length > 0;
}

async function showMessage(id) {
  let isMore = true;
  while (isMore && !find(`m${id}`)) isMore = !find("older").hidden && (await older());
  const node = find(`m${id}`);
  node?.scrollIntoView({ block: "center" });
  node?.classList.add("found");
  setTimeout(() => node?.classList.remove("found"), FOUND);
}

/** Put something below the newest message, in sight. */
export function post(node) {
  log.append(node);
  toEnd();
}

/** A message was made. */
export function add(message) {
  // Whoever asked for a private answer wants to see it.
  if (isPrivate(message)) post(show(message));
  else log.append(show(message));
}

/** A message has changed: the focus stays at the same control, or the one in its place. */
export function redraw(message) {
  const old = find(`m${message.id}`);
  if (!old) return;
  const fresh = show(message);
  const stops = (node) => [...node.querySelectorAll("button:enabled, summary, a")];
  const focused = document.activeElement;
  const at = stops(old).indexOf(focused);
  old.replaceWith(fresh);
  if (at < 0) return;
  const all = stops(fresh);
  const next = all.find((one) => one.dataset.id && one.dataset.id === focused.dataset.id) ?? all[at] ?? all.at(-1);
  (next ?? find("text")).focus({ preventScroll: true });
}

/** A message is gone. */
export function drop(message) {
  const node = find(`m${message.id}`);
  if (node?.contains(document.activeElement)) find("text").focus();
  node?.remove();
}

/** Tell that the newest message of this channel was seen, if it was. */
export function see() {
  find("newest").hidden = isAtEnd();
  const channel = model.channels.get(model.open);
  if (!channel || !isAtEnd() || document.hidden || !isUnread(channel)) return;
  tell({ do: "see", channel: channel.id, message: channel.last_message_id });
  noteSeen(channel.id, channel.last_message_id);
}

scroller.addEventListener("scroll", see);
find("newest").addEventListener("click", toEnd);
find("older").addEventListener("click", older);
