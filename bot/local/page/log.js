// The messages of the open channel, newest last.

import { el, find, replaceElement, setChildren } from "./dom.js";
import { messageElement } from "./message.js";
import { findPlace, model } from "./model.js";
import { request } from "./socket.js";

const END_MARGIN = 80; // pixels from the end that still count as the end

const scroller = find("messages");
const log = find("log");

// The list is laid out from its end (column-reverse): scrollTop is 0 there and negative above, and
// messages that are added at either end do not move what the player reads.
const isAtEnd = () => scroller.scrollTop > -END_MARGIN;

function scrollToEnd() {
  scroller.scrollTop = 0;
}

/** Show the channel that the page's address names, scrolled to the message if it names one. */
export async function showAddress() {
  const [id, message] = location.hash.slice(1).split("/");
  if (!id) return goHome();
  if (id !== model.open || (message && !find(`m${message}`))) await openChannel(id, message);
  const found = find(`m${message}`);
  found?.scrollIntoView({ block: "center" });
  return found?.classList.add("found");
}

/** Load the newest messages of a channel, at least back to the given one. */
async function openChannel(id, message) {
  model.open = id;
  log.replaceChildren();
  const answer = await request({ do: "enter", channel: id, message });
  if (id !== model.open || answer.t === "failed") return;
  if (answer.why) return goHome();
  // The answer contains messages that arrived, and were appended, in the meantime.
  log.replaceChildren();
  prepend(answer);
  find(`m${answer.new}`)?.before(el("div.new", { role: "separator" }, el("span", "New")));
  scrollToEnd();
}

async function loadOlder() {
  const channel = model.open;
  const answer = await request({ do: "older", channel, before: log.querySelector("article[id]").id.slice(1) });
  if (!answer.why && channel === model.open) prepend(answer);
}

function prepend({ messages, more }) {
  log.prepend(...messages.map(messageElement));
  find("older").hidden = !more;
  find("welcome").hidden = more;
}

/** Go to the first channel. */
export function goHome() {
  const first = model.places.find((place) => place.kind === "text");
  if (first) location.hash = first.id;
}

/** Show the name of the open channel wherever it appears. */
export function drawHeader() {
  const place = findPlace(model.open);
  if (!place) return;
  const parent = findPlace(place.parent);
  const name = `${place.kind === "text" ? "# " : ""}${place.name}`;
  const trail = parent ? [el("a", { href: `#${parent.id}` }, `# ${parent.name}`), " › "] : [];
  setChildren("place", [...trail, name]);
  find("text").placeholder = `Message ${name.replace("# ", "#")}`;
  find("archived").hidden = !place.archived;
  find("composer").hidden = place.archived;
  find("welcome").querySelector("h2").textContent = name;
  find("welcome").classList.toggle("thread", place.kind === "thread");
}

/** Replace a message by its new version; one that the player uses stays in view, unless it was scrolled away. */
export function updateMessage(message) {
  const shown = find(`m${message.id}`);
  if (!shown) return;
  const wasSeen = (message.private || message.id === model.living) && isSeen(shown);
  const fresh = messageElement(message);
  replaceElement(shown, fresh);
  if (!wasSeen) return;
  // The controls are at the end of a message.
  const fits = fresh.offsetHeight <= scroller.clientHeight;
  fresh.scrollIntoView({ block: fits ? "nearest" : "end" });
}

function isSeen(node) {
  const { top, bottom } = node.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}

/** Append an element below the newest message. */
export function append(node, scrollThere) {
  log.append(node);
  if (scrollThere) scrollToEnd();
}

/** Remove a message that was deleted. */
export function removeMessage(message) {
  const node = find(`m${message.id}`);
  if (node?.contains(document.activeElement)) find("text").focus();
  node?.remove();
}

/** Tell the server that this channel is read, if its newest message is in view. */
export function markRead() {
  find("newest").hidden = isAtEnd();
  const newest = [...log.querySelectorAll("article[id]")].at(-1);
  if (!newest || !isAtEnd() || document.hidden || !findPlace(model.open)?.unread) return;
  request({ do: "see", channel: model.open, message: newest.id.slice(1) });
}

scroller.addEventListener("scroll", markRead);
find("newest").addEventListener("click", scrollToEnd);
find("older").addEventListener("click", loadOlder);
