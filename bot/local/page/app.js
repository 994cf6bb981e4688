// The page: it shows what happens at the local Discord and sends there what the player does.

import { drawClock } from "./clock.js";
import { startCommand } from "./composer.js";
import { find } from "./dom.js";
import { openForm } from "./form.js";
import { append, drawHeader, goHome, markRead, removeMessage, showAddress, updateMessage } from "./log.js";
import { messageElement } from "./message.js";
import { findPlace, model } from "./model.js";
import { drawSidebar, playerAddress } from "./sidebar.js";
import { connect, request } from "./socket.js";
import { placeName } from "./words.js";

// Packets of the server, by kind

const EVENTS = {
  table: drawTable,
  message_create: ({ message }) => {
    // An ephemeral message answers the player, so it is scrolled into view.
    if (message.channel_id === model.open) append(messageElement(message), message.private);
  },
  message_update: ({ message }) => updateMessage(message),
  message_delete: ({ message }) => removeMessage(message),
  form: ({ form }) => openForm(form),
};

/** Take over the lists of players and channels, and draw what depends on them. */
function drawTable(table) {
  const wasKnown = findPlace(model.open);
  for (const place of table.places) place.name = placeName(place);
  const { me } = Object.assign(model, table);
  drawStatus(true);
  find("nobody").hidden = Boolean(me);
  if (me && !location.search) history.replaceState(null, "", playerAddress(me));
  if (me && !model.open) openAddress();
  if (wasKnown && !findPlace(model.open)) goHome();
  refresh();
}

/** Draw everything but the messages. */
function refresh() {
  drawHeader();
  drawSidebar();
  drawClock();
  markRead();
}

/** Show the channel that the page's address names. */
async function openAddress() {
  find("sidebar").hidePopover();
  await showAddress();
  refresh();
}

function drawStatus(isUp) {
  const offline = model.connected || !model.me ? "" : "Motu is offline";
  find("status").textContent = isUp ? offline : "Connection lost, trying again…";
}

// Actions of the player

find("start").addEventListener("click", () => startCommand("game new "));
find("reopen").addEventListener("click", () => request({ do: "reopen", channel: model.open }));
window.addEventListener("hashchange", () => model.me && openAddress());
// Following a link to the open channel changes no address, but the drawer on a phone has to close.
find("sidebar").addEventListener("click", (event) => {
  if (event.target.closest("#channels a")) find("sidebar").hidePopover();
});
document.addEventListener("visibilitychange", markRead);

find("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, why } = await request({ do: "join", name: find("join-name").value });
  find("join-error").textContent = why ?? "";
  if (why) return;
  find("join-name").value = "";
  if (!model.me) location.href = playerAddress({ name });
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  startCommand();
});

connect((packet) => EVENTS[packet.t]?.(packet), (isUp) => {
  // With no channel open, the next `table` loads the messages again, with those missed meanwhile.
  model.open = null;
  drawStatus(isUp);
});
