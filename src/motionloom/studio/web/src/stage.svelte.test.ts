// @vitest-environment jsdom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stage } from "./stage.svelte";
import { prefer, studio } from "./state.svelte";
import type { ViewEvents } from "./view3d/types";
import { createView } from "./view3d/view";

vi.mock("./view3d/view", () => ({ createView: vi.fn() }));

const told: { [Name in keyof ViewEvents]?: ViewEvents[Name] } = {};
const tellPosed = (): void => told.posed?.("character:0", 0);
const dressed = vi.fn(tellPosed); // the view tells of poses while characters are put in it
const ends: (() => void)[] = [];

beforeEach(() => {
  const still = () => undefined;
  const known = { on: (name: keyof ViewEvents, listener: never) => (told[name] = listener), setCharacters: dressed };
  const view = new Proxy(known, { get: (target, name) => target[name as keyof typeof target] ?? still });
  vi.mocked(createView).mockReturnValue(view as never);
  stage.attach(document.createElement("canvas"));
  flushSync();
  dressed.mockClear();
});
afterEach(() => {
  ends.splice(0).forEach((end) => end());
  stage.detach();
  prefer({ style: "body" });
});

describe("listeners of the view", () => {
  it("are heard, and what they read makes nothing be drawn again", () => {
    let heard = 0;
    let value = $state(0);
    ends.push(stage.on("posed", () => void (heard += value === -1 ? 0 : 1)));
    prefer({ style: "stick" });
    flushSync();
    expect([dressed.mock.calls.length, heard]).toEqual([1, 1]);
    value = 1;
    flushSync();
    expect([dressed.mock.calls.length, heard]).toEqual([1, 1]);
  });

  it("are no part of an effect that lets the view draw", () => {
    let runs = 0;
    let value = $state(0);
    ends.push(stage.on("posed", () => void value));
    ends.push(
      $effect.root(() => {
        $effect(() => {
          runs += 1;
          tellPosed();
        });
      }),
    );
    flushSync();
    value = 1;
    flushSync();
    expect(runs).toBe(1);
  });
});

it("dresses the characters anew for a style, not for a change of something else", () => {
  studio.connection = "lost";
  studio.trails = [];
  prefer({ ghosts: studio.preferences.ghosts + 1 });
  flushSync();
  expect(dressed).not.toHaveBeenCalled();
  prefer({ style: "stick" });
  flushSync();
  expect(dressed).toHaveBeenCalledTimes(1);
});
