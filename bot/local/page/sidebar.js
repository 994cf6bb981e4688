// The list at the left: channels, threads, players.

import { avatar, el, fill, find } from "./dom.js";
import { model, placeOf } from "./model.js";

const SIGNS = { text: "#", thread: "└", private: "@" };

/** Draw the lists anew. */
export function drawSidebar() {
  const { me, places, players, open } = model;
  const elsewhere = places.filter((place) => place.id !== open);
  const calls = elsewhere.reduce((sum, place) => sum + place.calls, 0);
  find("guild").textContent = model.guild;
  fill("channels", places.map(placeLine));
  fill("players", players.map(playerLine));
  fill("me", me ? [avatar(me), el("small", "you play as"), el("b", me.name)] : []);
  find("burger").dataset.calls = calls || "";
  find("burger").ariaLabel = `Channels and players${calls ? `, ${calls} mentions elsewhere` : ""}`;
  find("burger").classList.toggle("unread", elsewhere.some((place) => place.unread));
  document.title = `${calls ? `(${calls}) ` : ""}${placeOf(open)?.name ?? "Motu"} · ${me?.name ?? "Motu"}`;
}

function placeLine({ id, name, kind, archived, unread, calls }) {
  const isOpen = id === model.open;
  const [isNew, called] = isOpen ? [false, 0] : [unread, calls];
  const words = [name, isNew && "unread", called && `${called} mentions`].filter(Boolean);
  const link = el(
    `a.${kind}.${isNew ? "unread" : ""}.${archived ? "old" : ""}`,
    { href: `#${id}`, "data-id": id, "aria-label": words.join(", "), "aria-current": isOpen && "page" },
    el("span.sign", SIGNS[kind]),
    el("span.label", name),
    called > 0 && el("span.badge", called),
  );
  return el("li", link);
}

/** The address of this page for a player: another page, so that nothing of the one before stays in it. */
export function seat({ name }) {
  return `?as=${encodeURIComponent(name)}${location.hash}`;
}

function playerLine(user) {
  const { id, name } = user;
  const isMe = id === model.me?.id;
  const href = seat(user);
  const label = isMe ? `${name}, you` : `Play as ${name}`;
  const title = `${name} in a new tab`;
  const here = { href, "data-id": id, "aria-label": label, "aria-current": isMe && "true" };
  const there = { href, "data-id": `${id}↗`, "aria-label": title, title, target: "_blank", rel: "noopener" };
  return el("li.seat", el("a.player", here, avatar(user), el("span.label", name)), el("a.tab", there, "↗"));
}
