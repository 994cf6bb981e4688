// The socket to the local Discord: numbered requests, and a new attempt whenever it breaks.

import { FAILED, refusal } from "./words.js";

const MIN_RETRY_MS = 200;
const MAX_RETRY_MS = 3000;

const pending = new Map(); // by number: the function that gets the answer
let socket = null;
let number = 0;
let retryDelay = MIN_RETRY_MS;

/** Connect; `onPacket` gets the packets that answer no request, `onStateChange` whether the socket is open. */
export function connect(onPacket, onStateChange) {
  const url = new URL(`socket${location.search}`, location.href);
  url.protocol = "ws:";
  socket = new WebSocket(url);
  socket.onmessage = (event) => {
    const packet = JSON.parse(event.data);
    const answer = pending.get(packet.n) ?? onPacket;
    pending.delete(packet.n);
    answer(withReason(packet));
    // A form answers whatever the player has done, and opens in any case.
    if (packet.t === "form") onPacket(packet);
  };
  socket.onopen = () => {
    retryDelay = MIN_RETRY_MS;
    onStateChange(true);
  };
  socket.onclose = () => {
    onStateChange(false);
    for (const answer of pending.values()) answer(withReason({ t: "failed" }));
    pending.clear();
    setTimeout(connect, retryDelay, onPacket, onStateChange);
    retryDelay = Math.min(retryDelay * 2, MAX_RETRY_MS);
  };
}

/** Return a packet with the reason of its failure in words. */
function withReason(packet) {
  if (packet.t === "failed") return { ...packet, why: FAILED };
  if (packet.t === "refused") return { ...packet, why: refusal(packet.why, packet.facts) };
  return packet;
}

/** Send a request; if it fails, its answer says `why` in words. */
export function request(packet) {
  if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(withReason({ t: "failed" }));
  number += 1;
  socket.send(JSON.stringify({ ...packet, n: number }));
  return new Promise((resolve) => pending.set(number, resolve));
}
