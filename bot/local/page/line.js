// The socket to the local Discord: numbered questions, and a new try whenever it breaks.

const SHORTEST_WAIT = 200;
const LONGEST_WAIT = 3000;
const FAILED = { t: "failed", why: "This interaction failed" };

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
    answer(packet);
  };
  socket.onopen = () => {
    wait = SHORTEST_WAIT;
    tellState(true);
  };
  socket.onclose = () => {
    tellState(false);
    for (const answer of waiting.values()) answer(FAILED);
    waiting.clear();
    setTimeout(connect, wait, hear, tellState);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  };
}

/** Ask for something; the answer says `why` if nothing came of it. */
export function ask(packet) {
  if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(FAILED);
  number += 1;
  socket.send(JSON.stringify({ ...packet, n: number }));
  return new Promise((resolve) => waiting.set(number, resolve));
}
