import { describe, expect, it } from "vitest";

import { hubFile, hubGraph, steppedFile } from "../testing/hub_graph";
import { crc32, readHubs } from "./hubs_file";

const PREFIX = 24;

interface Header {
  [name: string]: unknown;
}

/** A file whose header or arrays were changed, and whose lengths and checksum agree with it. */
function rewritten(change: (header: Header, data: Uint8Array) => unknown, file = hubFile()): ArrayBuffer {
  const content = new Uint8Array(file);
  const length = new DataView(content.buffer).getUint32(12, true);
  const header = JSON.parse(new TextDecoder().decode(content.subarray(PREFIX, PREFIX + length))) as Header;
  const data = content.slice(Math.ceil((PREFIX + length) / 8) * 8);
  change(header, data);
  return fileOf(new TextEncoder().encode(JSON.stringify(header)), data);
}

function fileOf(text: Uint8Array, data: Uint8Array): ArrayBuffer {
  const begin = Math.ceil((PREFIX + text.length) / 8) * 8;
  const file = new Uint8Array(begin + data.length);
  file.set(new Uint8Array(hubFile(), 0, 12));
  file.set(text, PREFIX);
  file.set(data, begin);
  const view = new DataView(file.buffer);
  view.setUint32(12, text.length, true);
  view.setUint32(16, file.length, true);
  view.setUint32(20, crc32(file, PREFIX), true);
  return file.buffer;
}

describe("a .hubs file", () => {
  it("has the graph that was written", () => {
    const graph = hubGraph();
    expect(graph.nodes.slice(0, 3)).toMatchObject([{ name: "hub 0", kind: "hub" }, { name: "hub 1" }, { name: "hub 2" }]);
    expect(graph.hubs).toBe(3);
    expect(graph.skeleton.names).toEqual(["Hips", "Spine", "Head", "LeftFoot", "RightFoot"]);
    expect(graph.skeleton.names[graph.skeleton.roles.left_foot]).toBe("LeftFoot");
    expect(graph.actions.map((action) => action.name)).toEqual(["walk", "turn", "punch"]);
    expect(graph.rotations.length).toBe(graph.contacts.length * 20);
    graph.clips.forEach((clip) => expect(clip.controls.seconds).toBeCloseTo(clip.frames / graph.fps, 12));
  });

  it("keeps one pose for all clips of a hub, bit for bit", () => {
    const graph = hubGraph();
    const size = graph.skeleton.names.length * 4;
    for (let hub = 0; hub < graph.hubs; hub++) {
      for (const c of graph.leaving[hub]) {
        const { first } = graph.clips[c];
        expect(graph.rotations.subarray(first * size, (first + 1) * size)).toEqual(graph.hubRotations.subarray((3 * hub + 1) * size, (3 * hub + 2) * size));
        expect(graph.roots.subarray(first * 3, first * 3 + 3)).toEqual(graph.hubRoots.subarray((3 * hub + 1) * 3, (3 * hub + 2) * 3));
      }
    }
  });

  it("may lie anywhere in other bytes", () => {
    const bytes = new Uint8Array(hubFile());
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readHubs(shifted.subarray(3)).clips).toEqual(hubGraph().clips);
  });

  it("that is cut off, damaged, of another format or newer is rejected in one sentence", () => {
    const whole = new Uint8Array(hubFile());
    for (const length of [1, 7, 8, 23, 24, 100, 5000, whole.length - 1]) expect(() => readHubs(whole.slice(0, length).buffer)).toThrow("cut off");
    expect(() => readHubs(new ArrayBuffer(0))).toThrow("empty");
    for (let place = 0; place < whole.length; place += place < 60 ? 1 : 501) {
      const damaged = whole.slice();
      damaged[place] ^= 0x41;
      expect(() => readHubs(damaged)).toThrow();
    }
    expect(() => readHubs(new TextEncoder().encode("HIERARCHY\nROOT Hips"))).toThrow("this is not a .hubs file");
    const newer = whole.slice();
    newer[8] = 7;
    expect(() => readHubs(newer)).toThrow(".hubs format version 7, but this player reads up to 2");
    expect(() => readHubs(Uint8Array.from([...whole, 0]))).toThrow("damaged");
  });

  it("whose header cannot be read is rejected in one sentence", () => {
    for (const text of ["[]", "7", "{", "[".repeat(100_000), ""]) {
      expect(() => readHubs(fileOf(new TextEncoder().encode(text), new Uint8Array(0)))).toThrow("header of this .hubs file cannot be read");
    }
  });

  const first = (header: Header, list: string) => (header[list] as Header[])[0];
  const array = (header: Header, name: string) => (header.arrays as Record<string, Header>)[name];
  const CHANGES: Record<string, (header: Header, data: Uint8Array) => unknown> = {
    "a zero rotation": (header, data) => data.fill(0, array(header, "rotations").offset as number, (array(header, "rotations").offset as number) + 8),
    "a hub without rotations": (header, data) => data.fill(0, array(header, "hub_rotations").offset as number),
    "no skeleton": (header) => delete header.skeleton,
    "a clip from an unknown node": (header) => (first(header, "clips").source = 99),
    "a clip without frames": (header) => (first(header, "clips").frames = 0),
    "more frames than a file can have": (header) => ((header.clips as Header[])[17].frames = 1e15),
    "frames after the file": (header) => (array(header, "roots").offset = 1e12),
    "frames before the file": (header) => (array(header, "roots").offset = -8),
    "unaligned frames": (header) => (array(header, "roots").offset = 3),
    "another type": (header) => (array(header, "rotations").type = "float32"),
    "another shape": (header) => (array(header, "contacts").shape = [3]),
    "no time": (header) => (header.fps = 0),
    "a short placement": (header) => (first(header, "clips").placement = [0, 0]),
    "a clip without controls": (header) => delete first(header, "clips").controls,
    "a node of a new kind": (header) => (first(header, "nodes").kind = "door"),
    "an action of an unknown clip": (header) => (first(header, "actions").clips = [1000]),
    "no clips": (header) => (header.clips = []),
    "text for a list": (header) => (header.nodes = "hub"),
    "an invalid parent": (header) => ((header.skeleton as Header).parents = [-1, 4, 1, 0, 0]),
  };
  for (const [name, change] of Object.entries(CHANGES)) {
    it(`with ${name} is rejected in one sentence`, () => {
      expect(() => readHubs(rewritten(change))).toThrow("do not make a hub graph");
    });
  }

  it("without supports has none", () => {
    expect(hubGraph().clips.every((clip) => clip.supports.length === 0)).toBe(true);
  });

  it("with supports gives them to their clips", () => {
    const { clips } = readHubs(steppedFile());
    const all = clips.flatMap((clip) => clip.supports.map((support) => ({ clip, support })));
    expect(all.length).toBeGreaterThan(8);
    for (const { clip, support } of all) {
      expect(support.start).toBeLessThan(support.stop);
      expect(support.stop).toBeLessThanOrEqual(clip.frames);
      expect(support.bottom).toBeLessThan(support.top);
      expect(Math.min(...support.half)).toBeGreaterThan(0);
    }
  });

  const numbersOf = (header: Header, data: Uint8Array, name: string) => {
    const { offset, shape } = array(header, name) as { offset: number; shape: number[] };
    const kind = name === "supports" ? Float32Array : Uint32Array;
    return new kind(data.buffer as ArrayBuffer, data.byteOffset + offset, shape[0] * shape[1]);
  };
  const BROKEN: Record<string, [change: (header: Header, data: Uint8Array) => unknown, sentence: string]> = {
    "a support of an unknown clip": [(header, data) => (numbersOf(header, data, "support_frames")[0] = 99), "support 0 is of clip 99, but there are 9"],
    "supports in disorder": [(header, data) => numbersOf(header, data, "support_frames").set([8, 0, 1]), "in the order of their clips"],
    "a support without frames": [(header, data) => (numbersOf(header, data, "support_frames")[2] = 0), "support 0 has the frames ["],
    "a support after its clip": [(header, data) => (numbersOf(header, data, "support_frames")[2] = 4e9), "support 0 has the frames ["],
    "a support at no place": [(header, data) => (numbersOf(header, data, "supports")[0] = NaN), "not a finite number"],
    "a support without extent": [(header, data) => (numbersOf(header, data, "supports")[2] = 0), "support 0 is no box"],
    "a support upside down": [(header, data) => (numbersOf(header, data, "supports")[6] = 9), "support 0 is no box"],
    "too many supports": [(header) => (array(header, "supports").shape = [20_001, 7]), "20001 supports; at most 20000 are read"],
    "frames for more supports than there are": [(header) => (array(header, "support_frames").shape = [3, 3]), "'support_frames' is not uint32"],
    "supports without frames": [(header) => delete (header.arrays as Header).support_frames, "lacks an object"],
  };
  for (const [name, [change, sentence]] of Object.entries(BROKEN)) {
    it(`with ${name} is rejected in one sentence`, () => {
      const read = () => readHubs(rewritten(change, steppedFile()));
      expect(read).toThrow("do not make a hub graph");
      expect(read).toThrow(sentence);
    });
  }

  it("is read back where only its header was written again", () => {
    expect(readHubs(rewritten(() => 0)).clips).toEqual(hubGraph().clips);
  });
});
