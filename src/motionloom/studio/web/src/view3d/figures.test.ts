// @vitest-environment jsdom
import { IcosahedronGeometry, Matrix4, Object3D, Vector3, type BufferGeometry, type InstancedMesh, type Material, type Mesh, type SkinnedMesh } from "three";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { BodyData, Pose, SkeletonData } from "../motion/types";
import { Random } from "../testing/random";
import { Cast } from "./cast";
import { makeColours } from "./colours";
import { Footprints, offsetCorner } from "./footprints";
import { Labels } from "./labels";
import { orderTriangles } from "./mesh_order";
import { layOut } from "./path";
import { Stage } from "./stage";
import { makeStick } from "./stick";
import { Targets } from "./targets";
import { Trails } from "./trails";
import type { CharacterSpec } from "./types";
import { Waypoints } from "./waypoints";

const skeleton: SkeletonData = {
  digest: "legs",
  names: ["hips", "knee", "foot"],
  parents: [-1, 0, 1],
  offsets: new Float32Array([0, 0, 0, 0, -0.45, 0, 0, -0.45, 0]),
  roles: { head: 0 },
  ends: [{ parent: 2, offset: [0, 0, 0.2] }],
};
const body: BodyData = makeStick(skeleton);
const pose = (x: number): Pose => ({ root: new Float32Array([x, 0.9, 0]), rotations: new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]) });
const spec = (id: string, more: Partial<CharacterSpec> = {}): CharacterSpec => ({
  id, skeleton, body, hue: 0, style: "body", floor: 0, opacity: 1, ...more,
});

beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null); // jsdom has no canvas contexts
});

/** Everything that holds memory of the graphics card in a scene, and how much of it was freed. */
function watch(scene: Object3D): { held: Set<object>; freed: Set<object> } {
  const held = new Set<BufferGeometry | Material>();
  const freed = new Set<object>();
  scene.traverse((object) => {
    const { geometry, material } = object as Mesh;
    if (geometry) held.add(geometry);
    if (material) for (const each of [material].flat()) held.add(each);
  });
  for (const thing of held) (thing as Material).addEventListener("dispose", () => freed.add(thing));
  return { held, freed };
}

describe("what is freed", () => {
  it("frees everything on the stage in the end", () => {
    const canvas = document.createElement("canvas");
    document.body.append(canvas);
    const colours = makeColours();
    const stage = new Stage(colours);
    const labels = new Labels(canvas);
    const cast = new Cast(stage.scene, colours);
    const trails = new Trails(stage.scene, colours);
    const prints = new Footprints(stage.scene, colours);
    const waypoints = new Waypoints(stage.scene, colours, labels);
    const targets = new Targets(stage.scene, colours, labels);
    cast.setCharacters([spec("a"), spec("b", { hue: 1, style: "stick" })]);
    cast.pose("a", pose(0));
    cast.setGhosts("a", [pose(1), pose(2)]);
    cast.setPoints([{ id: "p", names: ["one", "two"], looks: { links: [[0, 1]], triangles: [[0, 1, 0]], outlines: [[0, 1]], front: 0 }, hue: 0, floor: 0, opacity: 1 }]);
    trails.set([{ id: "t", joint: "foot", points: new Float32Array(9), current: 0, colour: "#ff0000" }]);
    prints.set([{ side: "left", frame: 0, outline: [[0, 0], [0, 1], [1, 0]] }], 0);
    waypoints.set([{ id: "w", x: 0, z: 0, heading: 1, label: "2 s", selected: true, met: false }]);
    targets.set([{ id: "t", position: [0, 1, 0], label: "hand", selected: false }]);
    const { held, freed } = watch(stage.scene);
    expect(held.size).toBeGreaterThan(12);
    for (const part of [cast, trails, prints, waypoints, targets, labels, stage]) part.dispose();
    for (const thing of held) expect(freed.has(thing)).toBe(true);
    expect(cast.skins.count).toBe(0);
    expect(document.body.querySelectorAll("div").length).toBe(0);
    canvas.remove();
  });

  it("frees a skin with the last figure that uses it, and no sooner", () => {
    const cast = new Cast(new Object3D(), makeColours());
    cast.setCharacters([spec("a"), spec("b")]);
    cast.setGhosts("a", [pose(0)]);
    expect(cast.skins.count).toBe(1); // shared
    cast.setCharacters([spec("b")]);
    expect(cast.skins.count).toBe(1);
    cast.setCharacters([spec("b", { style: "stick" })]);
    expect(cast.skins.count).toBe(1); // of the stick figure now
    cast.setCharacters([]);
    expect(cast.skins.count).toBe(0);
  });

  it("makes nothing new while it plays", () => {
    const scene = new Object3D();
    const cast = new Cast(scene, makeColours());
    cast.setCharacters([spec("a")]);
    cast.setGhosts("a", [pose(0), pose(1)]);
    const trails = new Trails(scene, makeColours());
    const points = new Float32Array(30);
    trails.set([{ id: "t", joint: "foot", points, current: 0, colour: "#ff0000" }]);
    const before = watch(scene);
    for (let n = 0; n < 50; n++) {
      cast.pose("a", pose(n / 10));
      cast.setGhosts("a", [pose(n), pose(n + 1)].slice(0, n % 3));
      cast.setCharacters([spec("a", { opacity: n % 2 })]);
      trails.set([{ id: "t", joint: "foot", points, current: n % 10, colour: "#ff0000" }]);
      cast.refresh();
    }
    const after = watch(scene);
    expect([...after.held].every((thing) => before.held.has(thing))).toBe(true);
    expect(before.freed.size).toBe(0);
  });
});

describe("characters", () => {
  it("stands lower by its floor and is a stick figure until its body is there", () => {
    const scene = new Object3D();
    const cast = new Cast(scene, makeColours());
    cast.setCharacters([spec("a", { body: null, floor: 0.1 })]);
    cast.pose("a", pose(2));
    cast.refresh();
    expect(cast.placeOf("a")?.toArray()).toEqual([2, expect.closeTo(0.8, 6), 0]);
    expect(cast.jointsOf("a")?.joints[7]).toBeCloseTo(-0.9, 6);
    expect([0, 2].map((joint) => cast.nameOf("a", joint))).toEqual([spec("a").skeleton.names[0], "foot"]); // drags are about these
    expect([0, 2].map((joint) => cast.titleOf("a", joint))).toEqual(["head", "foot"]);
    cast.setCharacters([spec("a", { floor: 0.2 })]);
    expect(cast.placeOf("a")?.y).toBeCloseTo(0.7, 6);
  });

  it("is hidden before its first pose, and an unknown character cannot be posed", () => {
    const cast = new Cast(new Object3D(), makeColours());
    cast.setCharacters([spec("a")]);
    expect(cast.placeOf("a")).toBeNull();
    expect(cast.pose("unknown", pose(0))).toBe(false);
    expect(cast.ballOf("a", new Vector3())).toBeNull();
  });

  it("is another character when it has another skeleton", () => {
    const scene = new Object3D();
    const cast = new Cast(scene, makeColours());
    cast.setCharacters([spec("a")]);
    cast.pose("a", pose(0));
    cast.setCharacters([spec("a", { skeleton: { ...skeleton, digest: "other" } })]);
    expect(cast.placeOf("a")).toBeNull();
    expect(scene.children.length).toBe(1);
  });

  it("is translucent with its own far side hidden, and throws no shadow when faint", () => {
    const scene = new Object3D();
    const cast = new Cast(scene, makeColours());
    cast.setCharacters([spec("a", { opacity: 0.3 })]);
    cast.pose("a", pose(0));
    cast.refresh();
    const [depth, colour] = scene.children[0].children as SkinnedMesh[];
    expect(depth.visible).toBe(true);
    expect((colour.material as Material).transparent).toBe(true);
    expect(cast.places.length).toBe(0);
    cast.setCharacters([spec("a")]);
    cast.refresh();
    expect(depth.visible).toBe(false);
    expect(cast.places.length).toBe(1);
  });
});

const balls = (scene: Object3D): InstancedMesh => scene.children.find((child) => (child as InstancedMesh).geometry instanceof IcosahedronGeometry) as InstancedMesh;

describe("a cloud of points", () => {
  it("is translucent and throws no shadow when faint", () => {
    const scene = new Object3D();
    const cast = new Cast(scene, makeColours());
    const cloud = { id: "p", names: ["one", "two"], looks: null, hue: 1, floor: 0 };
    const show = (opacity: number): Material => {
      cast.setPoints([{ ...cloud, opacity }]);
      cast.posePoints("p", new Float32Array([0, 1, 0, 0, 2, 0]));
      cast.refresh();
      return balls(scene).material as Material;
    };
    expect(show(0.45)).toMatchObject({ transparent: true, opacity: 0.45 });
    expect(cast.places.length).toBe(0);
    expect(show(1)).toMatchObject({ transparent: false, opacity: 1 });
    expect(cast.places.length).toBe(1);
  });

  it("is joined by rods along links and outlines, and what is not seen vanishes with its rods", () => {
    const scene = new Object3D();
    const cast = new Cast(scene, makeColours());
    const looks = { links: [[0, 1], [1, 2]] as [number, number][], triangles: [] as [number, number, number][], outlines: [[0, 2]], front: 0.3 }; // prettier-ignore
    cast.setPoints([{ id: "p", names: ["one", "two", "three"], looks, hue: 0, floor: 1, opacity: 1 }]);
    cast.posePoints("p", new Float32Array([0, 1, 0, 0, 1.2, 0, NaN, NaN, NaN]));
    const [links, outlines] = scene.children as InstancedMesh[];
    const ends = (rods: InstancedMesh, n: number): number[][] => {
      const matrix = new Matrix4().fromArray(rods.instanceMatrix.array, 16 * n);
      return [0, 1].map((y) => new Vector3(0, y, 0).applyMatrix4(matrix).toArray().map((value) => Number(value.toFixed(4)))); // prettier-ignore
    };
    expect(ends(links, 0)).toEqual([[0, 0, 0], [0, 0.2, 0]]); // prettier-ignore
    expect(ends(links, 1)).toEqual([[0, 0, 0], [0, 0, 0]]); // prettier-ignore
    expect(ends(outlines, 0)).toEqual([[0, 0, 0], [0, 0, 0]]); // prettier-ignore
    expect(cast.frontOf("p")).toBe(0.3);
    cast.posePoints("p", new Float32Array([0, 1, 0, 0, 1.2, 0, 0.1, 1, 0]));
    expect(ends(outlines, 0)).toEqual([[0, 0, 0], [0.1, 0, 0]]); // prettier-ignore
  });
});

describe("shapes", () => {
  it("makes stick figures whose normals point outwards, each corner on one joint", () => {
    const stick = makeStick(skeleton);
    for (let v = 0; v * 3 < stick.vertices.length; v++) {
      const [x, y, z] = stick.normals.subarray(v * 3, v * 3 + 3);
      expect(Math.hypot(x, y, z)).toBeCloseTo(1, 4);
      expect(stick.weights[v * 4]).toBe(1);
    }
    let outwards = 0;
    for (let t = 0; t < stick.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromArray(stick.vertices, stick.triangles[t + k] * 3));
      const normal = new Vector3().fromArray(stick.normals, stick.triangles[t] * 3);
      if (b.sub(a).cross(c.sub(a)).dot(normal) > -1e-9) outwards++;
    }
    expect(outwards * 3).toBe(stick.triangles.length);
  });

  it("orders triangles without losing or turning any, and so that few vertices are worked out twice", () => {
    const random = new Random(9);
    const side = 30;
    const triangles: number[][] = [];
    for (let r = 0; r + 1 < side; r++) {
      for (let c = 0; c + 1 < side; c++) {
        const k = r * side + c;
        triangles.push([k, k + 1, k + side], [k + 1, k + side + 1, k + side]);
      }
    }
    triangles.sort(() => random.between(-1, 1));
    const ordered = orderTriangles(triangles.flat(), side * side);
    const name = ([a, b, c]: number[]): string => [[a, b, c], [b, c, a], [c, a, b]].map((t) => t.join()).sort()[0];
    const names = Array.from({ length: ordered.length / 3 }, (_, t) => name([...ordered.subarray(t * 3, t * 3 + 3)]));
    expect(names.sort()).toEqual(triangles.map(name).sort());
    expect(countMisses(ordered)).toBeLessThan(1.6 * side * side);
    expect(countMisses(triangles.flat())).toBeGreaterThan(3 * side * side);
  });

  it("grows outlines outwards", () => {
    const square: [number, number][] = [[0, 0], [0, 1], [1, 1], [1, 0]]; // counter-clockwise seen from above
    const [x, z] = offsetCorner(square, 2, 0.1);
    expect(x).toBeGreaterThan(1);
    expect(z).toBeGreaterThan(1);
  });

  it("lays paths in even steps through their corners", () => {
    const laid = layOut([[0, 0], [0, 1], [2, 1]], 0.25);
    expect(laid.length / 3).toBe(13);
    expect([laid[12], laid[14]]).toEqual([0, 1]);
    expect(layOut([]).length).toBe(0);
  });
});

/** How many vertices a renderer that remembers the last 16 works out. */
function countMisses(indices: ArrayLike<number>): number {
  const remembered: number[] = [];
  let misses = 0;
  for (let n = 0; n < indices.length; n++) {
    if (remembered.includes(indices[n])) continue;
    misses++;
    remembered.push(indices[n]);
    if (remembered.length > 16) remembered.shift();
  }
  return misses;
}
