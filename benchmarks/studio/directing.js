/** Beside probe.js: from the pointer events of a dragged joint to the motion that follows it. */
(() => {
  const MAIN = "character:0";
  const directed = {
    drags: [], // milliseconds from a drag event to its pose, or that of a later event
    inside: [], // ... from sending what is asked to its motion: the server's part
  };
  window.directed = directed;
  const asked = new Map(); // events that each question is about
  let waiting = [];
  let arrived = "";

  addEventListener(
    "pointermove",
    (event) => {
      if (event.buttons !== 0) waiting.push((event.getCoalescedEvents?.()[0] ?? event).timeStamp);
    },
    true,
  );

  window.WebSocket = class extends window.WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", hear); // before the page's own listeners
    }
    send(text) {
      if (typeof text === "string" && text.startsWith('{"type":"drag"')) {
        asked.set(JSON.parse(text).tag, { events: waiting, sent: performance.now() });
        waiting = [];
      }
      super.send(text);
    }
  };

  function hear({ data }) {
    if (typeof data === "string") return;
    const length = new DataView(data).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    if (header.type !== "dragged") return;
    arrived = header.tag;
    const question = asked.get(arrived);
    if (question) directed.inside.push(performance.now() - question.sent);
  }

  const begun = setInterval(() => {
    if (!window.motionloom) return;
    clearInterval(begun);
    window.motionloom.stage.on("posed", (id, now) => {
      const question = asked.get(arrived);
      if (id !== MAIN || !question) return;
      asked.delete(arrived);
      directed.drags.push(...question.events.map((stamp) => now - stamp));
    });
  }, 20);
})();
