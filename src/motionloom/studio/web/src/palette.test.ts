import { beforeEach, describe, expect, it, vi } from "vitest";
import * as api from "./api/client";
import { actionColour, labelColour, loadLabelColours, nameColour, palette, paletteColour } from "./palette";
import { studio } from "./state.svelte";

vi.mock("./api/client");

const settle = async (): Promise<void> => {
  await new Promise((done) => setTimeout(done, 1));
};

/** A server that decides colours in the order in which it is asked. */
function serve(numbers: Record<string, number>): Record<string, number> {
  vi.mocked(api.knownLabelColours).mockImplementation(async () => ({ numbers: { ...numbers } }));
  vi.mocked(api.moreLabelColours).mockImplementation(async ({ labels }) => {
    for (const label of labels) if (!Object.hasOwn(numbers, label)) numbers[label] = Object.keys(numbers).length;
    return { numbers: { ...numbers } };
  });
  return numbers;
}

beforeEach(() => void vi.clearAllMocks());

describe("the colour of a label", () => {
  beforeEach(async () => {
    serve({ walk: 3, run: 0 });
    await loadLabelColours();
  });

  it("is what the server has decided, whatever is in the document", () => {
    for (const vocabulary of [[], ["run"], ["jump", "run", "walk"]]) {
      studio.document = { ...studio.document, annotate: { ...studio.document.annotate, vocabulary } };
      expect(labelColour("walk")).toBe(palette[3]);
      expect(labelColour("run")).toBe(palette[0]);
    }
  });

  it("of new labels is asked for once, all in one request, and stays", async () => {
    for (let n = 0; n < 3; n++) for (const label of ["jump", "hop", "jump"]) labelColour(label);
    await settle();
    expect(api.moreLabelColours).toHaveBeenCalledTimes(1);
    expect(api.moreLabelColours).toHaveBeenCalledWith({ labels: ["jump", "hop"] });
    expect([labelColour("jump"), labelColour("hop"), labelColour("walk")]).toEqual([palette[2], palette[3], palette[3]]);
  });

  it("is neutral while the server cannot be asked, and asked for again with the next corpus", async () => {
    vi.mocked(api.moreLabelColours).mockRejectedValue(new Error("away"));
    expect(palette).not.toContain(labelColour("jump"));
    await settle();
    expect(palette).not.toContain(labelColour("jump"));
    serve({ walk: 1 });
    await loadLabelColours();
    expect(labelColour("walk")).toBe(palette[1]);
    labelColour("jump");
    await settle();
    expect(palette).toContain(labelColour("jump"));
  });

  it("is asked for whatever the label is called", async () => {
    expect(palette).not.toContain(labelColour("constructor"));
    await settle();
    expect(labelColour("constructor")).toBe(palette[2]);
  });

  it("begins the palette again where there are more labels than colours", () => {
    expect(paletteColour(palette.length + 2)).toBe(palette[2]);
    expect(palette).toContain(paletteColour(2 ** 32 - 1));
  });
});

it("names that are no labels have a colour of their own, and ask for none", async () => {
  serve({ kick: 5 });
  await loadLabelColours();
  expect(nameColour("walk/normal_1")).toBe(nameColour("walk/normal_1"));
  expect([actionColour("kick"), actionColour("kick 2")]).toEqual([palette[5], nameColour("kick 2")]);
  await settle();
  expect(api.moreLabelColours).not.toHaveBeenCalled();
});
