/** Watches the studio's page from inside: what was done, and when the renderer was handed what came of it. */
(() => {
  const MAIN = "character:0";
  const probe = {
    listed: 0, // milliseconds since navigation began: takes are in the list
    stick: 0, // ... a character was handed to the renderer
    drawn: 0, // ... with its body
    answered: 0, // ... a key was answered by a new pose
    moves: [], // milliseconds from a pointer event to the new pose, its frames there
    drags: [], // ... from a pointer event to a waypoint that was moved
    motions: [], // [milliseconds, id]: first pose of every motion that was shown
    waiting: [], // pointer events that no pose has answered yet
    key: null,
  };
  window.probe = probe;

  let held;
  Object.defineProperty(window, "motionloom", {
    configurable: true,
    get: () => held,
    set(value) {
      held = value;
      value.stage.on("posed", posed);
      value.stage.on("waypoint", (_id, _x, _z, _heading, phase) => {
        if (phase === "move" && probe.dragged) probe.drags.push(performance.now() - probe.dragged);
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
  addEventListener("pointerdown", (event) => void (probe.pressed = event.timeStamp), true);
  addEventListener("pointerup", (event) => void (probe.released = event.timeStamp), true);
  addEventListener("keydown", (event) => void (probe.key = event.timeStamp), true);

  function posed(id, now) {
    if (id !== MAIN) return;
    queueMicrotask(() => {
      const { studio, stage } = held; // isLoading is set just after the pose was handed over
      if (studio.isLoading) return;
      probe.stick ||= now;
      if (stage.members[0]?.body) probe.drawn ||= now;
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
