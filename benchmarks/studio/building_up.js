/** Beside probe.js: from the pointer events of a dragged pose to its ghost, and from accepting to the motion. */
(() => {
  const GHOST = "ghost";
  const built = {
    drags: [], // milliseconds from a drag event to the best way and its ghost, or those of a later event
    others: [], // ... from the last drag event to the other ways
    plays: [], // ... from accepting to the new motion while it plays
    accepted: 0,
    before: "", // the motion that played when it was accepted
  };
  window.built = built;
  const asked = new Map(); // events that each question is about
  let waiting = [];
  let last = 0; // event
  let arrived = "";

  addEventListener(
    "pointermove",
    (event) => {
      if (event.buttons === 0) return;
      last = (event.getCoalescedEvents?.()[0] ?? event).timeStamp;
      waiting.push(last);
    },
    true,
  );
  addEventListener(
    "click",
    (event) => {
      if (!event.target.closest?.("[data-testid=accept]")) return;
      built.accepted = event.timeStamp;
      built.before = window.motionloom.stage.player.motion?.info.id ?? "";
    },
    true,
  );

  window.WebSocket = class extends window.WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", hear); // before the page's own listeners
    }
    send(text) {
      if (typeof text === "string" && text.startsWith('{"type":"browse"')) {
        const { tag, count } = JSON.parse(text);
        asked.set(tag, { events: waiting, isWhole: count > 1, last });
        waiting = [];
      }
      super.send(text);
    }
  };

  function hear({ data }) {
    if (typeof data === "string") return;
    const length = new DataView(data).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    if (header.type === "browsed" && header.ways.length > 0) arrived = header.tag;
  }

  const begun = setInterval(() => {
    if (!window.motionloom) return;
    clearInterval(begun);
    window.motionloom.stage.on("posed", (id, now) => {
      const question = asked.get(arrived);
      if (id === GHOST && question) {
        asked.delete(arrived);
        if (question.isWhole) built.others.push(now - question.last);
        else built.drags.push(...question.events.map((stamp) => now - stamp));
      }
      const { stage, studio } = window.motionloom;
      const playing = stage.player.motion?.info.id ?? "";
      if (id === GHOST || built.accepted === 0 || playing === built.before || !studio.playing) return;
      built.plays.push(now - built.accepted);
      built.accepted = 0;
    });
  }, 20);
})();
