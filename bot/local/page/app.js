// The page: what happens at the local Discord is shown, what the player does is sent there.

import { drawClock } from "./clock.js";
import { startCommand } from "./composer.js";
import { find, swap } from "./dom.js";
import { drawPlace, drop, enter, goHome, post, see } from "./log.js";
import { show } from "./message.js";
import { model, placeOf } from "./model.js";
import { drawSidebar, seat } from "./sidebar.js";
import { ask, connect } from "./socket.js";
import { placeName } from "./words.js";

// What happens

const EVENTS = {
  table: drawTable,
  message_create: ({ message }) => message.channel_id === model.open && post(show(message), message.private),
  message_update: ({ message }) => find(`m${message.id}`) && swap(find(`m${message.id}`), show(message)),
  message_delete: ({ message }) => drop(message),
};

function drawTable(table) {
  const wasThere = placeOf(model.open);
  for (const place of table.places) place.name = placeName(place);
  const { me } = Object.assign(model, table);
  drawStatus(true);
  find("nobody").hidden = Boolean(me);
  if (me && !location.search) history.replaceState(null, "", seat(me));
  if (me && !model.open) go();
  if (wasThere && !placeOf(model.open)) goHome();
  refresh();
}

function refresh() {
  drawPlace();
  drawSidebar();
  drawClock();
  see();
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
find("reopen").addEventListener("click", () => ask({ do: "reopen", channel: model.open }));
window.addEventListener("hashchange", () => model.me && go());
document.addEventListener("visibilitychange", see);

find("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, why } = await ask({ do: "join", name: find("join-name").value });
  find("join-error").textContent = why ?? "";
  if (why) return;
  find("join-name").value = "";
  if (!model.me) location.href = seat({ name });
});

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, dialog");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  startCommand();
});

connect((packet) => EVENTS[packet.t]?.(packet), (isUp) => {
  // What came while it was down is asked for anew.
  model.open = null;
  drawStatus(isUp);
});
