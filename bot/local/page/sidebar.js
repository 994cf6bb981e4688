// The list at the left: channels, threads, players.

import { avatar, el, find } from "./dom.js";
import { isArchived, isThread, isUnread, model, places, players, title } from "./model.js";

/** Draw the lists anew. */
export function drawSidebar() {
  const me = model.users.get(model.me);
  const elsewhere = [...model.channels.values()].filter((channel) => channel.id !== model.open);
  const calls = elsewhere.reduce((sum, channel) => sum + channel.calls, 0);
  const place = model.channels.get(model.open);
  find("guild").textContent = model.guild.name;
  fill(find("channels"), places().filter(isWorthListing).map(channelLine));
  fill(find("players"), players().map(playerLine));
  fill(find("me"), me ? [avatar(me), el("small", "you play as"), el("b", me.name)] : []);
  find("burger").dataset.calls = calls || "";
  find("burger").ariaLabel = `Channels and players${calls ? `, ${calls} mentions elsewhere` : ""}`;
  find("burger").classList.toggle("unread", elsewhere.some(isUnread));
  document.title = `${calls ? `(${calls}) ` : ""}${place ? title(place) : "Motu"} · ${me ? me.name : "Motu"}`;
}

/** Let a list have these lines; the focus stays on its link, also where that is drawn anew. */
function fill(list, lines) {
  const focused = document.activeElement;
  const hadFocus = list.contains(focused);
  lines.forEach((line, at) => {
    const old = list.children[at];
    if (!old) list.append(line);
    else if (!old.isEqualNode(line)) old.replaceWith(line);
  });
  while (list.children.length > lines.length) list.lastElementChild.remove();
  if (!hadFocus || list.contains(focused)) return;
  const isSame = (link) => link.href === focused.href && link.target === focused.target;
  [...list.querySelectorAll("a")].find(isSame)?.focus({ preventScroll: true });
}

function isWorthListing(channel) {
  return !isArchived(channel) || channel.id === model.open || isUnread(channel);
}

function channelLine(channel) {
  const isOpen = channel.id === model.open;
  const unread = isUnread(channel) && !isOpen;
  const calls = isOpen ? 0 : channel.calls;
  const words = [title(channel), unread && "unread", calls && `${calls} mentions`].filter(Boolean);
  const sign = isThread(channel) ? "└" : channel.type === 1 ? "@" : "#";
  const link = el(
    "a",
    { href: `#${channel.id}`, "aria-label": words.join(", "), "aria-current": isOpen && "page" },
    el("span.sign", sign),
    el("span.label", title(channel)),
    calls > 0 && el("span.badge", calls),
  );
  link.classList.toggle("thread", isThread(channel));
  link.classList.toggle("unread", unread);
  link.classList.toggle("old", isArchived(channel));
  return el("li", link);
}

/** The address of this page for a player: another page, so that nothing of the one before stays in it. */
export function seat(name) {
  return `?as=${encodeURIComponent(name)}${location.hash}`;
}

function playerLine(user) {
  const name = user.name;
  const href = seat(name);
  const isMe = user.id === model.me;
  const here = { href, "aria-current": isMe && "true", "aria-label": isMe ? `${name}, you` : `Play as ${name}` };
  const label = `${name} in a new tab`;
  const there = { href, target: "_blank", rel: "noopener", title: label, "aria-label": label };
  return el("li.seat", el("a.player", here, avatar(user), el("span.label", name)), el("a.tab", there, "↗"));
}
