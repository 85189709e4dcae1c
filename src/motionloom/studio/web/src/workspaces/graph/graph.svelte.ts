/** The state of the graph workspace: distances of the takes, the selection, what is shown. */

import * as api from "../../api/client";
import { unpack } from "../../api/packing";
import type * as T from "../../api/types";
import { hubName } from "../../commands/edit_graph";
import { building, isUpToDate } from "../../hubs.svelte";
import { paletteColour } from "../../palette";
import { studio } from "../../state.svelte";
import { toNumber } from "./frames";
import { cutAt, previewFrames } from "./match_sets";
import { findLeftOut, layLines, type Line } from "./schematic";
import type { Span } from "./windows";

/** A hub as it is shown: while its threshold is dragged, as it would be. */
export interface ShownHub {
  name: string;
  colour: string;
  frames: number[];
  seed: number | null;
  threshold: number | null;
  mean: number | null;
  problem: string;
}

/** What plays in the view. */
export type Playing =
  | { kind: "take"; take: string; start: number; stop: number } // frames of the take, at the rate of the graph
  | { kind: "clips"; id: string; clips: number[]; name: string; joins: number[] }; // frames where one follows another

export interface TakeChoice {
  name: string;
  seconds: number;
  skeleton: string | null;
  labels: string[];
}

export interface SliceOf {
  frame: number;
  distances: Float32Array; // metres; NaN where frames cannot be compared
  minima: Int32Array; // nearest first
}

/** Which takes are compared, as requests to the server name them. */
export type Compared = Pick<T.FrameSlice, "takes" | "fps">;

class GraphState {
  takes = $state.raw<TakeChoice[]>([]); // that there are to choose from
  leftOut = $state.raw<string[]>([]); // sentences: which takes cannot be used, and why
  listed = $state(-1); // the revision of the corpus that they are of
  isChoosing = $state(false); // takes are being chosen
  material = $state.raw<T.MaterialState | null>(null);
  private materialOf = $state(""); // what was chosen for it
  private wantedOf = "";
  comparing = $state.raw<T.Job | null>(null);
  problem = $state(""); // why takes cannot be compared, or why a request about them failed
  resolved = $state.raw<T.ResolvedGraph | null>(null);
  resolvedFor = $state(""); // the request that it belongs to, as text

  hub = $state<string | null>(null); // selected
  frame = $state<number | null>(null); // whose slice is shown
  slice = $state.raw<SliceOf | null>(null);
  grown = $state.raw<T.GrownSet | null>(null); // of the selected hub, or of the selected frame
  hover = $state.raw<[number, number] | null>(null); // two frames under the pointer: down, across
  isPaired = $state(false); // the view shows the pair
  across = $state.raw<Span>({ start: 0, stop: 1 });
  down = $state.raw<Span>({ start: 0, stop: 1 });
  playing = $state.raw<Playing | null>(null);
  wantsPlay = false;
  /** Where what plays was left when a pair was shown instead. */
  left: { motion: string; time: number; loop: [number, number] | null; isPlaying: boolean } | null = null;

  private tag = "";
  private count = 0;
  private asked = 0; // requests about match sets; only the answer to the last one is used
  private readonly page = Math.random().toString(36).slice(2, 8);

  readonly part = $derived(studio.shown.graph);
  readonly request = $derived(studio.shown.graph.request);
  readonly hubs = $derived.by((): ShownHub[] => this.showHubs());
  readonly selected = $derived(this.hubs.find((hub) => hub.name === this.hub) ?? null);
  readonly lines = $derived.by(() => this.layLines());
  /** Metres that a suggestion, or a hub from the selected frame, is grown with. */
  readonly threshold = $derived(this.request.threshold ?? this.material?.threshold ?? 0);
  /** Frames that match frames are apart at least. */
  readonly spacing = $derived(Math.round(Math.max(this.request.w_min, this.material?.least_w_min ?? 0) * this.request.fps));

  readonly compared = $derived<Compared | null>(
    this.material && { takes: this.material.takes.map((take) => take.name), fps: this.material.fps },
  );

  /** Chosen takes that the corpus no longer has; patterns are left out. */
  readonly gone = $derived.by((): string[] => {
    const there = new Set(this.takes.map((take) => take.name));
    const chosen = this.listed < 0 ? [] : (studio.document.graph.request.takes ?? []);
    return chosen.filter((name) => !there.has(name) && !/[*?[]/.test(name));
  });

  /** Whether the material is of the takes that are chosen; while others are compared it is still of those before. */
  readonly isMaterialNew = $derived.by(() => {
    const { takes, fps } = studio.document.graph.request;
    return this.material !== null && this.materialOf === keyOf(takes, fps);
  });

  colourOf(index: number): string {
    const name = hubName(this.request, index);
    return paletteColour(this.part.colours[name] ?? index);
  }

  /** Compare the takes that are chosen; null: all that were recorded. */
  async compare(takes: string[] | null, fps: number): Promise<void> {
    this.count += 1;
    const tag = `${this.page}-${this.count}`;
    this.tag = tag;
    this.wantedOf = keyOf(takes, fps);
    this.problem = "";
    this.comparing = null;
    if (takes?.length === 0) {
      this.forgetMaterial();
      return;
    }
    try {
      const job = await api.snapMaterial({ takes, fps, tag });
      if (tag !== this.tag) return;
      this.comparing = studio.jobs.find((known) => known.id === job.id) ?? job;
      this.receiveJob(this.comparing);
    } catch (error) {
      if (tag === this.tag) this.problem = (error as Error).message;
    }
  }

  receive(message: T.FromServer): void {
    building.receive(message);
    if (message.type === "material" && message.tag === this.tag) this.takeMaterial(message.material);
    else if (message.type === "job" && message.job.id === this.comparing?.id) this.receiveJob(message.job);
  }

  /** Find the match frames of all hubs, and suggestions beside them. */
  async resolve(request: T.GraphRequest): Promise<void> {
    const number = ++this.asked;
    try {
      const resolved = await api.snapResolve({ request, count: null });
      if (number !== this.asked) return;
      this.resolved = resolved;
      this.resolvedFor = JSON.stringify(request);
    } catch (error) {
      if (number === this.asked) this.problem = (error as Error).message;
    }
  }

  /** Compare one frame with all. */
  async cut(material: Compared, frame: number): Promise<void> {
    try {
      const { arrays } = unpack(await api.snapSlice({ ...material, frame }));
      if (this.frame !== frame) return;
      this.slice = { frame, distances: arrays.distances as Float32Array, minima: arrays.minima as Int32Array };
    } catch (error) {
      if (this.frame === frame) this.problem = (error as Error).message;
    }
  }

  /** Find what can join the match set of a frame, whatever the threshold. */
  async grow(material: Compared, seed: number, w_min: number, taken: number[]): Promise<void> {
    try {
      const grown = await api.snapGrow({ ...material, seed, w_min, taken });
      if (this.seed === seed) this.grown = grown;
    } catch {
      this.grown = null; // a frame that nothing can be grown from; its slice shows that
    }
  }

  /** The frame that match frames are, or would be, grown from. */
  get seed(): number | null {
    return this.selected === null ? this.frame : this.selected.seed;
  }

  /** Match frames that the selected hub cannot have: those of the hubs before it. */
  get taken(): number[] {
    const before = this.hub === null ? this.hubs : this.hubs.slice(0, this.hubs.findIndex((hub) => hub.name === this.hub));
    const own = this.request.hubs.find((_, i) => hubName(this.request, i) === this.hub);
    return [...before.flatMap((hub) => hub.frames), ...this.numbersOf(own?.add ?? [])];
  }

  selectHub(name: string | null): void {
    this.hub = name;
  }

  selectFrame(frame: number): void {
    this.frame = frame;
    if (this.selected !== null && this.selected.seed !== frame) this.hub = null;
  }

  play(playing: Playing): void {
    this.playing = playing;
    this.wantsPlay = true;
  }

  async askTakes(revision: number): Promise<void> {
    try {
      const { takes, left_out, points_left_out } = await api.takes();
      if (revision < this.listed) return;
      this.listed = revision;
      this.leftOut = [...left_out, ...points_left_out];
      this.takes = takes
        .filter((take) => take.kind === "body" && take.left_out === "")
        .map(({ name, frames, fps, skeleton, labels }) => ({ name, seconds: frames / fps, skeleton, labels: Object.keys(labels) }));
    } catch (error) {
      this.problem = (error as Error).message; // the previous list stays
    }
  }

  forget(): void {
    this.forgetMaterial();
    this.tag = "";
    this.isChoosing = false;
    this.problem = "";
    this.comparing = null;
    building.forget();
  }

  numbersOf(frames: readonly T.TakeFrame[]): number[] {
    const { material } = this;
    return material === null ? [] : frames.flatMap((frame) => toNumber(material, frame) ?? []);
  }

  private forgetMaterial(): void {
    this.asked += 1;
    this.material = this.resolved = this.slice = this.grown = null;
    this.resolvedFor = "";
    this.hub = this.frame = this.hover = null;
    this.isPaired = false;
    this.playing = null;
  }

  private takeMaterial(material: T.MaterialState): void {
    const isSame = JSON.stringify(material) === JSON.stringify(this.material);
    this.comparing = null;
    this.materialOf = this.wantedOf;
    if (isSame) return;
    this.forgetMaterial();
    this.material = material;
    this.across = this.down = { start: 0, stop: material.frames };
  }

  private receiveJob(job: T.Job): void {
    this.comparing = job;
    if (job.state === "failed") this.problem = job.error;
    if (job.state === "failed" || job.state === "done" || job.state === "cancelled") this.comparing = null;
  }

  private layLines(): Line[] {
    const [takes, loose, clips] = [this.material?.takes ?? [], building.built?.dead_ends ?? [], studio.hubs?.graph.clips ?? []];
    const isBuilt = studio.draft === null && isUpToDate();
    return layLines(takes, this.hubs, loose, isBuilt ? findLeftOut(takes, this.hubs, clips, loose) : undefined);
  }

  private showHubs(): ShownHub[] {
    const { request, resolved, grown } = this;
    return request.hubs.map((hub, i) => {
      const name = hubName(request, i);
      const found = resolved?.hubs.find((known) => known.name === name);
      const shown: ShownHub = {
        name,
        colour: this.colourOf(i),
        frames: found?.frames ?? [],
        seed: found?.seed ?? null,
        threshold: hub.threshold ?? found?.threshold ?? null,
        mean: found?.mean ?? null,
        problem: found?.problem ?? "",
      };
      const isDragged = studio.draft !== null && name === this.hub && grown !== null && grown.seed === shown.seed;
      if (!isDragged || shown.threshold === null) return shown;
      const frames = previewFrames(grown, shown.threshold, this.numbersOf(hub.add), this.numbersOf(hub.drop));
      return { ...shown, frames, mean: cutAt(grown, shown.threshold).mean, problem: "" };
    });
  }
}

function keyOf(takes: string[] | null, fps: number): string {
  return JSON.stringify([takes, fps]);
}

export const graphState = new GraphState();
