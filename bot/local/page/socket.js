// The socket to the local Discord: numbered questions, and a new try whenever it breaks.

import { FAILED, refusal } from "./words.js";

const SHORTEST_WAIT = 200;
const LONGEST_WAIT = 3000;

const waiting = new Map(); // by number: who gets the answer
let socket = null;
let number = 0;
let wait = SHORTEST_WAIT;

/** Connect: `hear` gets every packet that is no answer, `tellState` whether the line is up. */
export function connect(hear, tellState) {
  const url = new URL(`socket${location.search}`, location.href);
  url.protocol = "ws:";
  socket = new WebSocket(url);
  socket.onmessage = (event) => {
    const packet = JSON.parse(event.data);
    const answer = waiting.get(packet.n) ?? hear;
    waiting.delete(packet.n);
    answer(worded(packet));
  };
  socket.onopen = () => {
    wait = SHORTEST_WAIT;
    tellState(true);
  };
  socket.onclose = () => {
    tellState(false);
    for (const answer of waiting.values()) answer(worded({ t: "failed" }));
    waiting.clear();
    setTimeout(connect, wait, hear, tellState);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };
}

function worded(packet) {
  if (packet.t === "failed") return { ...packet, why: FAILED };
  if (packet.t === "refused") return { ...packet, why: refusal(packet.why, packet.facts) };
  return packet;
}

/** Ask for something; the answer says `why` in words if nothing came of it. */
export function ask(packet) {
  if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(worded({ t: "failed" }));
  number += 1;
  socket.send(JSON.stringify({ ...packet, n: number }));
  return new Promise((resolve) => waiting.set(number, resolve));
}
