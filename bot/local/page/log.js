// The messages of the open channel, newest last.

import { el, fill, find } from "./dom.js";
import { show } from "./message.js";
import { model, placeOf } from "./model.js";
import { ask } from "./socket.js";

const NEAR = 80; // pixels from the end that still count as there

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
  if (!id) return goHome();
  if (id !== model.open || (message && !find(`m${message}`))) await open(id, message);
  const found = find(`m${message}`);
  found?.scrollIntoView({ block: "center" });
  return found?.classList.add("found");
}

async function open(id, message) {
  model.open = id;
  log.replaceChildren();
  const answer = await ask({ do: "enter", channel: id, message });
  if (id !== model.open || answer.t === "failed") return;
  if (answer.why) return goHome();
  // What has come in the meantime is among them.
  log.replaceChildren();
  prepend(answer);
  find(`m${answer.new}`)?.before(el("div.new", { role: "separator" }, el("span", "New")));
  toEnd();
}

async function older() {
  const channel = model.open;
  const answer = await ask({ do: "older", channel, before: log.querySelector("article[id]").id.slice(1) });
  if (!answer.why && channel === model.open) prepend(answer);
}

function prepend({ messages, more }) {
  log.prepend(...messages.map(show));
  find("older").hidden = !more;
  find("welcome").hidden = more;
}

/** Go to the first channel. */
export function goHome() {
  const first = model.places.find((place) => place.kind === "text");
  if (first) location.hash = first.id;
}

/** Say which channel this is. */
export function drawPlace() {
  const place = placeOf(model.open);
  if (!place) return;
  const parent = placeOf(place.parent);
  const name = `${place.kind === "text" ? "# " : ""}${place.name}`;
  const trail = parent ? [el("a", { href: `#${parent.id}` }, `# ${parent.name}`), " › "] : [];
  fill("place", [...trail, name]);
  find("text").placeholder = `Message ${name.replace("# ", "#")}`;
  find("archived").hidden = !place.archived;
  find("composer").hidden = place.archived;
  find("welcome").querySelector("h2").textContent = name;
  find("welcome").classList.toggle("thread", place.kind === "thread");
}

/** Put something below the newest message; what somebody waits for comes into sight. */
export function post(node, isWaitedFor) {
  log.append(node);
  if (isWaitedFor) toEnd();
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
  const newest = [...log.querySelectorAll("article[id]")].at(-1);
  if (!newest || !isAtEnd() || document.hidden || !placeOf(model.open)?.unread) return;
  ask({ do: "see", channel: model.open, message: newest.id.slice(1) });
}

scroller.addEventListener("scroll", see);
find("newest").addEventListener("click", toEnd);
find("older").addEventListener("click", older);
