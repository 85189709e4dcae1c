/** Watches the studio's page from inside: what was done, and when the renderer was handed what came of it. */
(() => {
  const MAIN = "character:0";
  const probe = {
    listed: 0, // milliseconds since navigation began: takes are in the list
    stick: 0, // ... a character was handed to the renderer
    drawn: 0, // ... with its body; or markers, which have none
    answered: 0, // ... a key was answered by a new pose
    moves: [], // milliseconds from a pointer event to the new pose, its frames there
    drags: [], // ... from a pointer event to a waypoint that was moved
    motions: [], // [milliseconds, id]: first pose of every motion that was shown
    asked: [], // [milliseconds, tag]: searches that the page asked for
    answers: {}, // by the motion that was found: tag of the search, when it was sent, seconds that the search took
    painted: 0, // milliseconds of the last pointer event that changed what is asked for
    waiting: [], // pointer events that no pose has answered yet
    key: null,
    draws: true, // false: the page does everything, but its drawing calls do not reach the renderer
  };
  window.probe = probe;

  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "clear"]) {
    const draw = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...words) {
      if (probe.draws) draw.apply(this, words);
    };
  }

  let held;
  Object.defineProperty(window, "motionloom", {
    configurable: true,
    get: () => held,
    set(value) {
      held = value;
      value.stage.on("posed", posed);
      value.stage.on("waypoint", (_id, _x, _z, _heading, phase) => {
        if (phase !== "move" || !probe.dragged) return;
        const stamp = probe.dragged; // all that follows at once belongs to it: the document, and what is drawn from it
        queueMicrotask(() => queueMicrotask(() => probe.drags.push(performance.now() - stamp)));
      });
    },
  });

  const oldest = (event) => (event.getCoalescedEvents?.()[0] ?? event).timeStamp;
  addEventListener(
    "pointermove",
    (event) => {
      if (event.buttons === 0) return;
      probe.dragged = oldest(event);
      probe.waiting.push(probe.dragged);
    },
    true,
  );
  for (const kind of ["pointerdown", "pointermove", "pointerup"]) {
    addEventListener(kind, (event) => {
      if (kind === "pointermove" && event.buttons === 0) return;
      queueMicrotask(() => notePaint(event.timeStamp)); // all listeners have heard of it
    });
  }
  addEventListener("keydown", (event) => void (probe.key = event.timeStamp), true);

  let paint = "";
  function notePaint(stamp) {
    const now = JSON.stringify(held.studio.shown.timeline.request);
    if (now !== paint) probe.painted = stamp;
    paint = now;
  }

  const ask = window.fetch;
  window.fetch = (resource, options) => {
    if (String(resource?.url ?? resource).endsWith("/timeline/search") && typeof options?.body === "string") {
      probe.asked.push([performance.now(), JSON.parse(options.body).tag]);
    }
    return ask(resource, options);
  };
  window.WebSocket = class extends WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", ({ data }) => {
        if (typeof data !== "string" || !data.startsWith('{"type":"answer"')) return;
        const { answer } = JSON.parse(data);
        probe.answers[answer.id] ??= { tag: answer.tag, at: performance.now(), seconds: answer.seconds };
      });
    }
  };

  function posed(id, now) {
    if (id !== MAIN) return;
    queueMicrotask(() => {
      const { studio, stage } = held; // isLoading is set just after the pose was handed over
      if (studio.isLoading) return;
      probe.stick ||= now;
      if (stage.members[0]?.body || stage.members[0]?.points) probe.drawn ||= now;
      if (probe.key !== null) probe.answered ||= now;
      probe.moves.push(...probe.waiting.map((stamp) => now - stamp));
      probe.waiting.length = 0;
      const shown = stage.player.motion?.info.id;
      if (shown !== probe.motions.at(-1)?.[1]) probe.motions.push([now, shown]);
    });
  }

  const list = new MutationObserver(() => {
    if (!document.querySelector("[data-take]")) return;
    probe.listed = performance.now();
    list.disconnect();
  });
  list.observe(document, { childList: true, subtree: true });
})();
