import { describe, expect, it } from "vitest";
import { Random } from "../../testing/random";
import { labelWidth, rulerTicks, secondsLabel, type Tick } from "./ruler";
import { fit, visible, zoomAt } from "./scale";

const random = new Random(8);
const scales = Array.from({ length: 120 }, () => {
  const length = random.pick([0.4, 3, 10, 75, 450, 5400]);
  const fps = random.pick([24, 25, 29.97, 30, 60, 120, 100]);
  let scale = fit(random.between(300, 2000), length);
  for (let k = 0; k < 5; k++) scale = zoomAt(scale, random.between(0, scale.width), random.between(0.6, 6), length, fps);
  return { scale, length, fps };
});

function labels(ticks: Tick[]): Tick[] {
  return ticks.filter((tick) => tick.label !== null);
}

describe("the ruler at every zoom", () => {
  it("has labels that never overlap", () => {
    for (const { scale, length, fps } of scales) {
      const { seconds, frames } = rulerTicks(scale, length, fps);
      for (const row of [labels(seconds), labels(frames)]) {
        for (let k = 1; k < row.length; k++) {
          expect(row[k].x - row[k - 1].x).toBeGreaterThanOrEqual(labelWidth(row[k - 1].label!) - 1e-6);
        }
      }
    }
  });

  it("has marks that stay apart, and not too many", () => {
    for (const { scale, length, fps } of scales) {
      const { seconds, frames } = rulerTicks(scale, length, fps);
      for (const row of [seconds, frames]) {
        expect(row.length).toBeLessThan(scale.width / 5 + 60);
        for (let k = 1; k < row.length; k++) expect(row[k].x - row[k - 1].x).toBeGreaterThan(5);
      }
    }
  });

  it("has a label in sight wherever there is timeline to see", () => {
    for (const { scale, length, fps } of scales) {
      const [first, last] = visible(scale);
      const isWellInside = first >= 0 && last <= length;
      if (!isWellInside) continue;
      const { frames } = rulerTicks(scale, length, fps);
      expect(labels(frames).some((tick) => tick.x > -200 && tick.x < scale.width)).toBe(true);
    }
  });

  it("puts frame labels where these frames are", () => {
    for (const { scale, length, fps } of scales) {
      for (const tick of labels(rulerTicks(scale, length, fps).frames)) expect(tick.time * fps).toBeCloseTo(Number(tick.label), 6);
    }
  });
});

describe("labels", () => {
  it("are as short as the step allows", () => {
    expect(secondsLabel(0, 1)).toBe("0 s");
    expect(secondsLabel(2.5, 0.5)).toBe("2.5 s");
    expect(secondsLabel(65, 5)).toBe("1:05");
    expect(secondsLabel(60, 1)).toBe("1:00");
    expect(secondsLabel(119.95, 0.05)).toBe("1:59.95");
    expect(secondsLabel(125.5, 0.5)).toBe("2:05.5");
  });
});
