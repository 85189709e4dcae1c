import { describe, expect, it } from "vitest";
import { EMPTY } from "../../api/constants";
import type * as T from "../../api/types";
import { Random } from "../../testing/random";
import { describeBeyond, withLength } from "./length";
import { paintOver, strokesOf, type Value } from "./paint";
import { clipRange } from "./request";
import { framesOf, lengthOf, textOf } from "./times";

const FPS = 60;
const LABELS = ["walk", "run", "wave"];
const RATES = { kick: 120 };
const place = (at: string): T.Place => ({ at, position: [1, 2], heading: null, weight: 1 });
const clip = (at: string, frames: number): T.ForcedFrames => ({ at, take: "kick", frame: null, start: 0, stop: frames });
const part = (request: T.Request): T.TimelinePart => ({ ...EMPTY.timeline, request });

/** What is asked, however it is written. */
function content({ request }: T.TimelinePart): object {
  return {
    length: lengthOf(request),
    strokes: LABELS.map((label) => strokesOf(request, label)),
    clips: [...request.frames].map((forced) => JSON.stringify(forced)).sort(),
    places: [...request.places].map((one) => JSON.stringify(one)).sort(),
  };
}

/** A timeline of 10 s with random paint; clips and places that are apart from each other. */
function randomPart(dice: Random): T.TimelinePart {
  let { request } = EMPTY.timeline;
  for (let n = 0; n < 8; n++) {
    const start = dice.whole(0, 590);
    request = paintOver(request, dice.pick(LABELS), start, dice.whole(start + 1, 600), dice.pick<Value>(["must", "must_not"]));
  }
  const frames = [0, 2, 4, 6, 8].map((at) => clip(textOf(at * FPS + dice.whole(0, 30), FPS), dice.whole(2, 150)));
  const places = [1, 3, 5, 7, 9].map((at) => place(textOf(at * FPS + dice.whole(0, 50), FPS)));
  return part({ ...request, frames, places: dice.next() < 0.5 ? places : [...places, place("end")] });
}

describe("the length", () => {
  it("hides what lies beyond the end and keeps what is at the end", () => {
    let request = paintOver(paintOver(EMPTY.timeline.request, "walk", 60, 400, "must"), "run", 300, 600, "must");
    request = { ...request, places: [place("end"), place("9s"), place("2s")], frames: [{ ...clip("8s", 2) }, clip("1s", 60)] };
    const short = withLength(part(request), 360);
    expect(short.request.length).toBe("6s");
    expect(short.request.labels.map((paint) => paint.to)).toEqual(["6s", "6s"]);
    expect(short.request.places.map((one) => one.at)).toEqual(["end", "2s"]);
    expect(short.request.frames.map((forced) => forced.at)).toEqual(["1s"]);
    expect(describeBeyond(short)).toBe("2 stretches, 1 clip and 1 place lie beyond the end; a longer timeline brings them back");
    expect(withLength(part(request), 900).request.labels).toEqual(request.labels);
    expect(withLength(EMPTY.timeline, 0).request.length).toBe("0.0167s");
  });

  it("asks for nothing beyond the end, whatever it was made of", () => {
    const dice = new Random();
    for (let n = 0; n < 200; n++) {
      let now = randomPart(dice);
      for (let step = 0; step < 5; step++) {
        now = withLength(now, dice.whole(1, 700), RATES);
        const { request } = now;
        const length = lengthOf(request);
        for (const paint of request.labels) expect(framesOf(paint.to, FPS, length)).toBeLessThanOrEqual(length);
        for (const forced of request.frames) expect(clipRange(forced, request, 120)[1]).toBeLessThanOrEqual(length);
        for (const one of request.places) expect(one.at === "end" || framesOf(one.at, FPS) < length).toBe(true);
        const times = request.places.map((one) => Math.min(framesOf(one.at, FPS, length), length - 1));
        expect(new Set(times).size).toBe(times.length); // one can be reached at a time
      }
    }
  });

  it("brings everything back when it is as it was, over however many steps", () => {
    const dice = new Random(11);
    for (let n = 0; n < 200; n++) {
      const before = randomPart(dice);
      let now = before;
      for (let step = 0; step < 4; step++) now = withLength(now, dice.whole(1, 800), RATES);
      now = withLength(now, 600, RATES);
      expect(content(now)).toEqual(content(before));
      expect(describeBeyond(now)).toBe("");
    }
  });

  it("brings back as much as there is room for", () => {
    const painted = part(paintOver(EMPTY.timeline.request, "walk", 60, 600, "must"));
    const back = withLength(withLength(painted, 120), 300);
    expect(strokesOf(back.request, "walk")).toEqual([{ start: 60, stop: 300, value: "must" }]);
    expect(back.request.labels.length).toBe(1); // one stretch again, not two that touch
    expect(back.beyond.labels).toEqual([{ label: "walk", from: "5s", to: "10s", value: "must" }]);
  });

  it("leaves what was put in the place of a hidden clip", () => {
    const short = withLength(part({ ...EMPTY.timeline.request, frames: [clip("4s", 240)] }), 300, RATES);
    const other = { ...short, request: { ...short.request, frames: [clip("4s", 100)] } };
    const long = withLength(other, 600, RATES);
    expect(long.request.frames).toEqual([clip("4s", 100)]);
    expect(long.beyond.frames).toEqual([clip("4s", 240)]);
  });

  it("lets paint up to the end go along with it", () => {
    const toEnd: T.Paint = { label: "walk", from: "2s", to: "end", value: "must" };
    const painted = part({ ...EMPTY.timeline.request, labels: [toEnd] });
    expect(withLength(painted, 240).request.labels).toEqual([toEnd]);
    const hidden = withLength(painted, 60);
    expect(hidden.beyond.labels).toEqual([toEnd]);
    expect(strokesOf(withLength(hidden, 900).request, "walk")).toEqual([{ start: 120, stop: 900, value: "must" }]);
  });
});
