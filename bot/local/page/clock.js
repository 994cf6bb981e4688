// The table's clock, which players can move forward to see what happens over days.

import { find, setChildren } from "./dom.js";
import { model, tableTime } from "./model.js";
import { request } from "./socket.js";
import { timeElement, updateRelativeTimes } from "./text.js";

const MINUTE = 60_000;

/** Show the table's time, and update times such as "in 3 hours" in messages. */
export function drawClock() {
  const isMoved = model.ahead > 0;
  find("clock").hidden = !model.me;
  const now = timeElement(new Date(tableTime()), "medium");
  setChildren("clock-now", [now, isMoved ? " (moved forward)" : ""]);
  updateRelativeTimes();
}

for (const button of document.querySelectorAll("#clock button")) {
  button.addEventListener("click", async () => {
    const { why } = await request({ do: "clock", hours: Number(button.value) });
    find("clock-error").textContent = why ?? "";
  });
}

setInterval(drawClock, MINUTE);
