/** Drawing at most once per screen frame, however many events request it. */

type Draw = () => void;

const waiting = new Map<object, Draw>();
let request = 0;

/** The last drawing asked for an owner is the one that happens. */
export function drawSoon(owner: object, draw: Draw): void {
  waiting.set(owner, draw);
  if (request === 0) request = requestAnimationFrame(drawAll);
}

export function forget(owner: object): void {
  waiting.delete(owner);
}

function drawAll(): void {
  request = 0;
  const draws = [...waiting.values()];
  waiting.clear();
  for (const draw of draws) draw();
}
