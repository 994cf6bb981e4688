// The page: what happens at the local Discord is shown, what the player does is sent there.

import { startCommand } from "./composer.js";
import { find } from "./dom.js";
import { ask, connect, tell } from "./line.js";
import { add, drawPlace, drop, enter, goHome, redraw, see } from "./log.js";
import { greet, model, noteMessage, noteSeen, putChannel } from "./model.js";
import { openModal } from "./modal.js";
import { drawSidebar, seat } from "./sidebar.js";

// What happens

const EVENTS = {
  hello: begin,
  message_create: ({ message }) => {
    noteMessage(message);
    if (message.channel_id === model.open) add(message);
  },
  message_update: ({ message }) => redraw(message),
  message_delete: ({ message }) => drop(message),
  channel: ({ channel }) => {
    putChannel(channel);
    if (channel.id === model.open) drawPlace();
  },
  channel_delete: ({ channel }) => {
    model.channels.delete(channel.id);
    if (channel.id === model.open) goHome();
  },
  member_add: ({ user }) => model.users.set(user.id, user),
  member_remove: ({ user }) => model.users.delete(user.id),
  modal: openModal,
  seen: ({ channel, message }) => noteSeen(channel, message),
  bot: ({ connected }) => {
    model.connected = connected;
    drawStatus(true);
  },
};

function hear(packet) {
  EVENTS[packet.t]?.(packet);
  refresh();
}

function refresh() {
  see();
  drawSidebar();
}

function begin(hello) {
  greet(hello);
  drawStatus(true);
  const me = model.users.get(model.me);
  find("nobody").hidden = Boolean(me);
  if (!me) return;
  if (!location.search) history.replaceState(null, "", seat(me.name));
  go();
}

async function go() {
  find("sidebar").hidePopover();
  await enter();
  refresh();
}

function drawStatus(isUp) {
  const offline = model.connected || !model.me ? "" : "Motu is offline";
  find("status").textContent = isUp ? offline : "Connection lost, trying again…";
}

// What the player does

find("start").addEventListener("click", () => startCommand("game new "));
find("reopen").addEventListener("click", () => tell({ do: "reopen", channel: model.open }));
window.addEventListener("hashchange", () => model.me && go());
document.addEventListener("visibilitychange", refresh);

find("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await ask({ do: "join", name: find("join-name").value });
  const hasJoined = answer.t === "joined";
  find("join-error").textContent = hasJoined ? "" : (answer.why ?? "That did not work");
  if (hasJoined) find("join-name").value = "";
  if (hasJoined && !model.me) location.href = seat(answer.name);
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  startCommand();
});

connect(hear, drawStatus);
