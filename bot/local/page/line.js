// The socket to the local Discord: numbered questions, and a new try whenever it breaks.

const PATIENCE = 5000;
const LONGEST_WAIT = 3000;

export class Line {
  /** `hear` gets every packet that is no answer; `state` hears whether the line is up. */
  constructor(player, hear, state) {
    const query = player === null ? "" : `?as=${encodeURIComponent(player)}`;
    this.url = new URL(`socket${query}`, location.href.replace(/[?#].*/, ""));
    this.url.protocol = "ws:";
    this.hear = hear;
    this.state = state;
    this.number = 0;
    this.waiting = new Map();
    this.wait = 200;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.url);
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onopen = () => {
      this.wait = 200;
      this.state(true);
    };
    this.socket.onclose = () => {
      this.state(false);
      for (const answer of this.waiting.values()) answer({ t: "failed" });
      this.waiting.clear();
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  take(packet) {
    const answer = this.waiting.get(packet.n);
    if (!answer) return this.hear(packet);
    this.waiting.delete(packet.n);
    return answer(packet);
  }

  /** Say something that nobody answers. */
  tell(packet) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(packet));
  }

  /** Ask something; the answer's `t` says what came of it, "failed" if nothing did. */
  ask(packet) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve({ t: "failed" });
    this.number += 1;
    const n = this.number;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.take({ t: "failed", n }), PATIENCE);
      this.waiting.set(n, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.tell({ ...packet, n });
    });
  }
}
