// The list at the left: channels, threads, players.

import { arrange, avatar, el, nameOf } from "./dom.js";
import { isThread, isUnread, model, places, players, title } from "./model.js";

const find = (id) => document.getElementById(id);

/** Draw the lists anew; `open` is the channel that is shown. */
export function drawSidebar(open) {
  find("guild").textContent = model.guild.name;
  arrange(
    find("channels"),
    places()
      .filter((channel) => worthListing(channel, open))
      .map((channel) => entry(channel, open)),
  );
  arrange(find("players"), players().map(player));
  const me = model.users.get(model.me);
  if (me) find("me").replaceChildren(avatar(me), el("b", {}, nameOf(me)), el("small", {}, "you play as"));
  const elsewhere = [...model.channels.values()].filter((channel) => channel.id !== open);
  const calls = elsewhere.reduce((sum, channel) => sum + (channel.calls || 0), 0);
  find("burger").dataset.calls = calls || "";
  find("burger").classList.toggle("unread", elsewhere.some(isUnread));
  const place = model.channels.get(open);
  document.title = `${calls ? `(${calls}) ` : ""}${place ? title(place) : "Motu"} · ${me ? nameOf(me) : "Motu"}`;
}

function worthListing(channel, open) {
  return !isThread(channel) || !channel.thread_metadata.archived || channel.id === open || isUnread(channel);
}

function entry(channel, open) {
  const unread = isUnread(channel) && channel.id !== open;
  const calls = channel.id === open ? 0 : channel.calls || 0;
  const kind = [isThread(channel) && "thread", unread && "unread", channel.thread_metadata?.archived && "old"];
  const said = [title(channel), unread && "unread", calls && `${calls} mentions`].filter(Boolean).join(", ");
  const link = el(
    "a",
    {
      href: `#${channel.id}`,
      class: kind.filter(Boolean).join(" "),
      "aria-label": said,
      "aria-current": channel.id === open ? "page" : null,
    },
    el("span", { class: "sign", "aria-hidden": "true" }, isThread(channel) ? "└" : channel.type === 1 ? "@" : "#"),
    el("span", { class: "label" }, title(channel)),
    calls ? el("span", { class: "badge" }, String(calls)) : null,
  );
  return el("li", {}, link);
}

/** The address of this page for a player. */
export function seat(name, hash = location.hash) {
  return `?as=${encodeURIComponent(name)}${hash}`;
}

function player(user) {
  const mine = user.id === model.me;
  const name = nameOf(user);
  const here = el(
    "a",
    {
      href: seat(name),
      class: "player",
      "aria-current": mine ? "true" : null,
      "aria-label": mine ? `${name}, you` : `Play as ${name}`,
    },
    avatar(user),
    el("span", { class: "label" }, name),
  );
  const there = el(
    "a",
    {
      href: seat(name),
      class: "tab",
      target: "_blank",
      rel: "noopener",
      title: `${name} in a new tab`,
      "aria-label": `${name} in a new tab`,
    },
    "↗",
  );
  return el("li", { class: "seat" }, here, there);
}
