/** The stage: brings motions, the player and the 3D view together, following the state. */

import * as api from "./api/client";
import type { Unpacked } from "./api/packing";
import type * as T from "./api/types";
import { type Extras, isSameCrowd, NO_EXTRAS, poseExtras, specsOf } from "./extras";
import type { Guest } from "./guest";
import { FrameCache } from "./motion/frame_cache";
import { FrameStore } from "./motion/frames";
import { forgetSteps, loadBody, loadSkeleton, loadSteps } from "./motion/loading";
import { forward } from "./motion/kinematics";
import { Player } from "./motion/player";
import { type Trace, traceJoint } from "./motion/tracing";
import type { BodyData, Pose, SkeletonData } from "./motion/types";
import { sendMessage } from "./session";
import { type CastMember, isSameCast, notify, studio } from "./state.svelte";
import type { CharacterSpec, StudioView, ViewEvents } from "./view3d/types";
import { createView } from "./view3d/view";

/** Of the main character in the view, whatever it plays. */
export const MAIN = "character:0";

const ASK_PAUSE = 60; // milliseconds between two looks at which frames are wanted
const MOST_ASKED = 4; // ranges at a time
const MOST_MADE = 24; // motions of the page itself that are kept
const TRAIL_COLOURS = ["--view-accent", "--view-left", "--view-right", "--must", "--unmet"];
const BESIDE = 0.45; // opacity of the second motion of a comparison; such a body casts no shadow
const NOTHING: never[] = []; // one list, so that the view sees that nothing changed

type Place = [number, number, number]; // metres

interface Member {
  id: string; // in the view
  hue: number;
  opacity: number;
  motion: T.Motion;
  store: FrameStore;
  skeleton: SkeletonData | null;
  body: BodyData | null;
  pose: Pose;
  points: Float32Array | null;
  steps: T.Footprints | null;
}

class Stage {
  view: StudioView | null = null;
  readonly player = new Player();
  private readonly cache = new FrameCache();
  private readonly handlers: { [Name in keyof ViewEvents]?: Set<ViewEvents[Name]> } = {};
  private members: Member[] = [];
  private guest: Guest | null = null; // has the stage for itself
  private wantedCast: CastMember[] = [];
  private turn = 0; // of the cast that is being loaded
  private askedAt = 0;
  private ghostSlot = Number.NaN;
  private path: [number, number][] = [];
  private extras: Extras = NO_EXTRAS;
  private traces: { joint: string; trace: Trace; colour: string }[] = [];
  private isNew = false; // the main motion has not been brought into view yet
  private readonly made = new Map<string, { motion: T.Motion; store: FrameStore; supports: T.SupportBox[] }>(); // motions of the page itself
  private readonly refused = new Set<string>(); // motions whose frames the server cannot give

  constructor() {
    this.player.onFrame(() => this.draw());
    $effect.root(() => {
      $effect(() => this.player.setSpeed(studio.speed));
      $effect(() => this.player.setLoop(studio.loop));
      $effect(() => this.player.setLooping(studio.looping));
      $effect(() => {
        void studio.preferences.style;
        this.dress();
      });
      $effect(() => {
        void [studio.preferences.ghosts, studio.preferences.ghostSeconds];
        this.ghostSlot = Number.NaN;
        this.draw();
      });
      $effect(() => {
        void studio.trails;
        this.drawTrails();
      });
      $effect(() => {
        void studio.revisions.takes;
        forgetSteps();
        this.cache.age();
        this.refused.clear();
      });
    });
  }

  /** Make the view on a canvas. */
  attach(canvas: HTMLCanvasElement): void {
    this.view = createView(canvas);
    this.view.on("pick", (picked) => {
      const member = this.members.find((member) => member.id === picked?.character);
      const joint = member?.skeleton?.names[picked?.joint ?? -1];
      studio.picked = member && joint ? { motion: member.motion.id, joint } : null;
      this.view?.highlight(picked);
    });
    for (const name of ["waypoint", "target", "stroke", "select", "ground", "hover", "posed"] as const) {
      this.view.on(name, ((...args: unknown[]) => {
        for (const handler of this.handlers[name] ?? []) (handler as (...args: unknown[]) => void)(...args);
      }) as never);
    }
    this.view.setPath(this.path);
    this.dress();
  }

  detach(): void {
    this.view?.dispose();
    this.view = null;
  }

  /** Listen to events of the view; stays registered when the view is replaced. */
  on<Name extends keyof ViewEvents>(name: Name, handler: ViewEvents[Name]): () => void {
    const all = (this.handlers[name] ??= new Set() as never) as Set<ViewEvents[Name]>;
    all.add(handler);
    return () => all.delete(handler);
  }

  /** Show these motions; the first is the main one. The ones before stay until these are there. */
  setCast(cast: CastMember[]): void {
    if (isSameCast(cast, this.wantedCast)) return;
    this.wantedCast = cast;
    void this.load(cast, ++this.turn);
  }

  /** Frames have come. */
  receive({ header, arrays }: Unpacked): void {
    const store = this.cache.get(header.motion as string);
    if (store === null) return;
    const start = header.start as number;
    if (arrays.points) store.addPoints(start, arrays.points as Float32Array);
    else store.add(start, arrays.roots as Float32Array, arrays.rotations as Int16Array);
    this.cache.trim(this.player.time);
    this.ghostSlot = Number.NaN;
    this.askedAt = 0;
    this.draw();
    if (store.isWhole) this.drawTrails();
  }

  /** The server cannot give frames: report why, unless the motion is no longer shown. */
  refuse({ error, motion }: T.Refused): void {
    const isShown = this.members.some((member) => member.motion.id === motion && !studio.leaving.has(member.motion.name));
    if (!isShown || this.refused.has(motion)) return;
    this.refused.add(motion);
    notify("error", error);
    this.dress();
  }

  /** Another corpus, or another server: what was asked for will not come, and names may mean other motions. */
  forget(): void {
    this.cache.clear();
    for (const { store } of this.members) store.forgetAsked();
    this.refused.clear();
    forgetSteps();
    const cast = this.wantedCast;
    this.wantedCast = [];
    this.setCast(cast);
  }

  /** Let a guest have the stage, or no longer (null). Those of the cast come back when it has gone. */
  setGuest(guest: Guest | null): void {
    if (guest !== null) this.player.pause();
    this.guest = guest;
    if (guest === null) this.view?.setGhosts(MAIN, []);
    this.view?.setFootprints(MAIN, [], 0);
    this.view?.setSupports(MAIN, NOTHING, 0, 1);
    this.view?.setTerrain(MAIN, null);
    this.ghostSlot = Number.NaN;
    this.dress();
  }

  /**
   * Keep a motion that the page made itself, such as a clip of a hub graph, so that it can be cast by its id: roots
   * (n * 3) metres, rotations (n * J * 4) as whole numbers, and what feet stand on besides the floor. One of the same id
   * and length is changed where it plays.
   */
  make(motion: T.Motion, roots: Float32Array, rotations: Int16Array, supports: T.SupportBox[] = NOTHING): void {
    const known = this.made.get(motion.id);
    const isSame = known?.motion.frames === motion.frames && known.motion.skeleton === motion.skeleton;
    const { store } = isSame ? known : { store: new FrameStore(motion) };
    store.add(0, roots, rotations);
    this.made.delete(motion.id);
    this.made.set(motion.id, { motion, store, supports }); // the newest is the last
    const old = [...this.made.keys()].slice(0, -MOST_MADE).filter((id) => this.members.every((member) => member.motion.id !== id));
    for (const id of old) this.made.delete(id);
    if (!isSame) return;
    this.draw();
    if (this.traces.length > 0) this.drawTrails();
  }

  toggle(): void {
    if (this.guest !== null) this.guest.toggle();
    else this.player.toggle();
  }

  seek(time: number): void {
    if (this.guest !== null) this.guest.seek(time);
    else this.player.seek(time);
  }

  /** Go where the pointer is; while it is held there, playing does not run on. */
  scrub(time: number, phase?: "move" | "end" | "cancel"): void {
    if (this.guest !== null) return this.guest.seek(time);
    if (phase === "move") this.player.hold();
    this.player.seek(time);
    if (phase !== "move") this.player.release();
  }

  step(frames: number): void {
    if (this.guest !== null) this.guest.step(frames);
    else this.player.step(frames);
  }

  frameCharacter(): void {
    if (this.guest !== null || this.members.length > 0) this.view?.frameCharacter(MAIN);
  }

  /** Where a joint of the main character is now, or at another time of its motion, metres; null where there is none. */
  placeOf(joint: string, seconds?: number): Place | null {
    const skeleton = this.members[0]?.skeleton;
    const index = skeleton?.roles[joint] ?? skeleton?.names.indexOf(joint) ?? -1;
    if (index < 0) return null;
    return this.places(seconds)[index];
  }

  /** The bones of the main character as it stands now, from joint to joint, metres. */
  bonesOf(): [Place, Place][] {
    const places = this.places();
    return (this.members[0]?.skeleton?.parents ?? []).flatMap((parent, joint): [Place, Place][] => (parent < 0 ? [] : [[places[parent], places[joint]]]));
  }

  private places(seconds?: number): Place[] {
    const { skeleton, motion, store, pose: now } = this.members[0] ?? {};
    if (!skeleton || !now || !motion || !store) return [];
    const pose = seconds === undefined ? now : { root: now.root.slice(), rotations: now.rotations.slice() };
    if (seconds !== undefined) store.poseAt(seconds, pose);
    const positions = new Float32Array(3 * skeleton.names.length);
    forward(skeleton, pose.root, pose.rotations, positions, new Float32Array(4 * skeleton.names.length));
    return skeleton.names.map((_, joint): Place => [positions[3 * joint], positions[3 * joint + 1] - motion.floor, positions[3 * joint + 2]]);
  }

  setPath(path: [number, number][] | null): void {
    this.path = path ?? [];
    this.view?.setPath(this.path);
  }

  /** Show something beside the cast. */
  setExtras(extras: Extras): void {
    const isSame = isSameCrowd(extras, this.extras);
    this.extras = extras;
    if (isSame) poseExtras(this.view, extras);
    else this.dress();
    this.showTrails();
  }

  /** Toggle the trail of the picked joint, or of the hips. */
  toggleTrail(): void {
    const main = this.members[0];
    if (!main?.skeleton) return;
    const hips = main.skeleton.names[main.skeleton.roles.hips ?? 0];
    const wanted = studio.picked ?? { motion: main.motion.id, joint: hips };
    if (studio.picked === null && studio.trails.length > 0) studio.trails = [];
    else if (studio.trails.some((trail) => trail.joint === wanted.joint)) {
      studio.trails = studio.trails.filter((trail) => trail.joint !== wanted.joint);
    } else studio.trails = [...studio.trails, wanted];
  }

  private async load(cast: CastMember[], turn: number): Promise<void> {
    try {
      const members = await Promise.all(cast.map((member, i) => this.open(member, `character:${i}`)));
      if (turn !== this.turn) return;
      this.take(members);
    } catch (error) {
      if (turn !== this.turn) return;
      this.take([]);
      notify("error", (error as Error).message);
    }
  }

  private async open(member: CastMember, id: string): Promise<Member> {
    const made = this.made.get(member.motion);
    const motion = made?.motion ?? (await api.motion(member.motion));
    const skeleton = motion.skeleton === null ? null : await loadSkeleton(motion.skeleton);
    const store = made?.store ?? this.cache.open({ ...motion, id: motion.id, points: motion.points ?? null, skeleton: motion.skeleton ?? null });
    const joints = skeleton?.names.length ?? 0;
    const rotations = new Float32Array(joints * 4);
    for (let joint = 0; joint < joints; joint++) rotations[joint * 4] = 1;
    return {
      id,
      hue: member.hue,
      opacity: member.isBeside ? BESIDE : 1,
      motion,
      store,
      skeleton,
      body: null,
      pose: { root: new Float32Array(3), rotations },
      points: motion.points ? new Float32Array(motion.points.length * 3) : null,
      steps: made ? { footprints: NOTHING, contacts: {}, supports: made.supports, terrain: null } : null,
    };
  }

  private take(members: Member[]): void {
    const before = this.members[0];
    this.members = members;
    this.cache.keep(members.map((member) => member.motion.id));
    const main = members[0];
    studio.cast = this.wantedCast;
    studio.motions = Object.fromEntries(members.map((member) => [member.motion.id, member.motion]));
    studio.picked = null;
    studio.trails = studio.trails.filter((trail) => main?.skeleton?.names.includes(trail.joint));
    const isAnswer = (member?: Member): boolean => member?.motion.id.startsWith("answer:") ?? false;
    const isMade = main !== undefined && this.made.has(main.motion.id); // what the hand does is seen at once
    this.player.show(main?.store ?? null, { crossfade: isAnswer(before) && isAnswer(main) && !isMade });
    studio.fps = main?.motion.fps ?? 60;
    if (main && before?.motion.id !== main.motion.id && !isAnswer(main)) {
      studio.loop = null;
      this.isNew = true;
      this.player.seek(0);
    }
    this.ghostSlot = Number.NaN;
    this.askedAt = 0;
    this.dress();
    for (const member of members) this.fetch(member);
  }

  /** What makes a member more than a stick figure comes later. */
  private fetch(member: Member): void {
    const isStill = (): boolean => this.members.includes(member);
    if (member.skeleton === null) return;
    void loadBody(member.skeleton.digest).then(
      (body) => {
        member.body = body;
        if (isStill()) this.dress();
      },
      () => undefined, // it stays a stick figure
    );
    if (this.made.has(member.motion.id)) return;
    void loadSteps(member.motion.id).then(
      (steps) => {
        member.steps = steps;
        if (isStill()) this.draw();
      },
      () => undefined,
    );
  }

  private dress(): void {
    const { style } = studio.preferences;
    if (this.guest !== null) {
      const { spec, dressed } = this.guest;
      this.view?.setCharacters([{ ...spec, id: MAIN, style: spec.body ? style : "stick" }]);
      this.view?.setPoints([]);
      dressed?.();
      return;
    }
    const members = this.members.flatMap(({ id, skeleton, body, hue, opacity, motion }): CharacterSpec[] =>
      skeleton === null || this.refused.has(motion.id) ? [] : [{ id, skeleton, body, hue, style: body ? style : "stick", floor: motion.floor, opacity }],
    );
    this.view?.setCharacters([...members, ...specsOf(this.extras, style)]);
    poseExtras(this.view, this.extras);
    this.view?.setPoints(
      this.members.flatMap(({ id, motion, hue, opacity }) =>
        motion.points ? [{ id, names: motion.points, hue, floor: motion.floor, opacity }] : [],
      ),
    );
    this.draw();
    this.drawTrails();
  }

  /** Pass the current poses to the view, and request frames that will be needed. */
  private draw(): void {
    if (this.guest !== null) return; // it has a clock of its own
    const { player } = this;
    const { time } = player;
    studio.time = time;
    studio.length = player.length;
    studio.playing = player.playing;
    let isComplete = true;
    this.members.forEach((member, index) => {
      const isThere = this.pose(member, index === 0, time);
      isComplete = isComplete && (isThere || this.refused.has(member.motion.id));
    });
    studio.isLoading = !isComplete;
    this.ask(isComplete);
    if (this.view === null || this.members.length === 0) return;
    for (const member of this.members) {
      const { fps } = member.motion;
      this.view.setFootprints(member.id, member.steps?.footprints ?? [], Math.round(time * fps));
      this.view.setSupports(member.id, member.steps?.supports ?? NOTHING, Math.round(time * fps), fps);
      this.view.setTerrain(member.id, member.steps?.terrain ?? null);
    }
    this.drawGhosts(time);
    if (this.traces.length > 0) this.showTrails();
    if (this.isNew && isComplete) {
      this.isNew = false;
      if (!studio.preferences.follow) this.view.frameCharacter(MAIN);
    }
  }

  private pose(member: Member, isMain: boolean, time: number): boolean {
    // hidden until its first frames are there
    if (member.points !== null) {
      const isThere = member.store.pointsAt(time, member.points);
      if (isThere || member.store.bytes > 0) this.view?.posePoints(member.id, member.points);
      return isThere;
    }
    const isThere = isMain ? this.player.pose(member.pose) : member.store.poseAt(time, member.pose);
    if (isThere || member.store.bytes > 0) this.view?.pose(member.id, member.pose);
    return isThere;
  }

  private ask(isComplete: boolean): void {
    const now = performance.now();
    if (studio.connection !== "open" || (isComplete && now - this.askedAt < ASK_PAUSE)) return;
    this.askedAt = now;
    for (const { store, motion } of this.members) {
      for (const range of store.wanted(this.player.time, 1, { loop: studio.loop }).slice(0, MOST_ASKED)) {
        store.markAsked(range);
        sendMessage({ type: "frames", motion: motion.id, start: range[0], stop: range[1] });
      }
    }
  }

  private drawGhosts(time: number): void {
    const { ghosts, ghostSeconds } = studio.preferences;
    const slot = ghosts === 0 ? -1 : Math.floor(time / ghostSeconds);
    if (slot === this.ghostSlot) return;
    this.ghostSlot = slot;
    for (const member of this.members.slice(0, 1)) {
      const poses: Pose[] = [];
      for (let k = 1 - ghosts; k <= ghosts && ghosts > 0; k++) {
        const at = (slot + k) * ghostSeconds;
        const pose = { root: new Float32Array(3), rotations: new Float32Array(member.pose.rotations.length) };
        if (at >= 0 && at <= member.store.length && member.store.poseAt(at, pose)) poses.push(pose);
      }
      this.view?.setGhosts(member.id, poses);
    }
  }

  /** Trace the joints whose trails are wanted; drawing them again costs nothing. */
  private drawTrails(): void {
    if (this.guest !== null) return;
    const main = this.members[0];
    const skeleton = main?.skeleton;
    const style = getComputedStyle(document.documentElement);
    this.traces = !skeleton
      ? []
      : studio.trails.flatMap(({ joint }, i) => {
          const number = skeleton.names.indexOf(joint);
          if (number < 0) return [];
          const colour = style.getPropertyValue(TRAIL_COLOURS[i % TRAIL_COLOURS.length]).trim();
          return [{ joint, colour, trace: traceJoint(skeleton, main.store, number, main.motion.floor) }];
        });
    this.showTrails();
  }

  private showTrails(): void {
    const fps = this.members[0]?.motion.fps ?? 60;
    const trails = this.traces.map(({ joint, trace, colour }) => {
      const current = Math.round((this.player.time * fps) / trace.every);
      return { id: joint, joint, points: trace.points, current, colour };
    });
    this.view?.setTrails([...trails, ...this.extras.trails]);
  }
}

export const stage = new Stage();

declare global {
  interface Window {
    motionloom?: { studio: typeof studio; stage: Stage }; // for the console and for measuring
  }
}
if (typeof window !== "undefined") window.motionloom = { studio, stage };
