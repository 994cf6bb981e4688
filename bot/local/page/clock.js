// The table's clock: it can be moved forward, to see what happens over days without waiting for them.

import { fill, find } from "./dom.js";
import { model, tableTime } from "./model.js";
import { ask } from "./socket.js";
import { moment, retell } from "./text.js";

const MINUTE = 60_000;

/** Show the time of the table, and all times in messages as they are by now. */
export function drawClock() {
  const isMoved = model.ahead > 0;
  find("clock").hidden = !model.me;
  fill("clock-now", [moment(new Date(tableTime()), "medium"), isMoved ? " (moved forward)" : ""]);
  retell();
}

for (const button of document.querySelectorAll("#clock button")) {
  button.addEventListener("click", async () => {
    const { why } = await ask({ do: "clock", hours: Number(button.value) });
    find("clock-error").textContent = why ?? "";
  });
}

setInterval(drawClock, MINUTE);
