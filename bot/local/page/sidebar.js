// The sidebar: channels, threads and players.

import { avatar, el, find, setChildren } from "./dom.js";
import { findPlace, model } from "./model.js";

const KIND_SIGNS = { text: "#", thread: "└", private: "@" };

/** Draw the lists, and the number of mentions in other channels. */
export function drawSidebar() {
  const { me, places, players, open } = model;
  const elsewhere = places.filter((place) => place.id !== open);
  const calls = elsewhere.reduce((sum, place) => sum + place.calls, 0);
  find("guild").textContent = model.guild;
  setChildren("channels", places.map(placeLine));
  setChildren("players", players.map(playerLine));
  setChildren("me", me ? [avatar(me), el("small", "you play as"), el("b", me.name)] : []);
  find("burger").dataset.calls = calls || "";
  find("burger").ariaLabel = `Channels and players${calls ? `, ${calls} mentions elsewhere` : ""}`;
  find("burger").classList.toggle("unread", elsewhere.some((place) => place.unread));
  document.title = `${calls ? `(${calls}) ` : ""}${findPlace(open)?.name ?? "Motu"} · ${me?.name ?? "Motu"}`;
}

function placeLine({ id, name, kind, archived, unread, calls }) {
  const isOpen = id === model.open;
  // The player is looking at the open channel, so nothing in it is unread.
  const isNew = !isOpen && unread;
  const shownCalls = isOpen ? 0 : calls;
  const words = [name, isNew && "unread", shownCalls && `${shownCalls} mentions`].filter(Boolean);
  const link = el(
    `a.${kind}.${isNew ? "unread" : ""}.${archived ? "old" : ""}`,
    { href: `#${id}`, "data-id": id, "aria-label": words.join(", "), "aria-current": isOpen && "page" },
    el("span.sign", KIND_SIGNS[kind]),
    el("span.label", name),
    shownCalls > 0 && el("span.badge", shownCalls),
  );
  return el("li", link);
}

/** Return this page's address for a player. Following it loads the page anew, without a trace of the other player. */
export function playerAddress({ name }) {
  return `?as=${encodeURIComponent(name)}${location.hash}`;
}

function playerLine(user) {
  const { id, name } = user;
  const isMe = id === model.me?.id;
  const href = playerAddress(user);
  const label = isMe ? `${name}, you` : `Play as ${name}`;
  const title = `${name} in a new tab`;
  const here = { href, "data-id": id, "aria-label": label, "aria-current": isMe && "true" };
  const there = { href, "data-id": `${id}↗`, "aria-label": title, title, target: "_blank", rel: "noopener" };
  return el("li.seat", el("a.player", here, avatar(user), el("span.label", name)), el("a.tab", there, "↗"));
}
