/** The stage: brings motions, the player and the 3D view together, following the state. */

import { untrack } from "svelte";
import * as api from "./api/client";
import type { Unpacked } from "./api/packing";
import type * as T from "./api/types";
import { type Extras, isSameCrowd, NO_EXTRAS, poseExtras, specsOf } from "./extras";
import type { Guest } from "./guest";
import { isFace, type Member, secondsOf } from "./cast_members";
import { linesOf, namesOf, numberOf, type Place, placesOf } from "./joint_places";
import { JointTrails, toggled } from "./joint_trails";
import { type MadeFrames, MadeMotions } from "./made_motions";
import { posesAround } from "./onion_skins";
import { FrameCache } from "./motion/frame_cache";
import { forgetSteps, loadBody, loadSkeleton, loadSteps } from "./motion/loading";
import { Player } from "./motion/player";
import type { Pose } from "./motion/types";
import { sendMessage } from "./session";
import { type CastMember, isSameCast, notify, studio } from "./state.svelte";
import type { CharacterSpec, StudioView, ViewEvents } from "./view3d/types";
import { createView } from "./view3d/view";
import { whenever } from "./whenever.svelte";

/** The id in the view of a character of the cast, whatever it plays. */
export const memberId = (number: number): string => `character:${number}`;

/** Of the main character. */
export const MAIN = memberId(0);

const ASK_PAUSE = 60; // milliseconds between two looks at which frames are wanted
const MOST_ASKED = 4; // ranges at a time
const BESIDE = 0.45; // opacity of the second motion of a comparison; such a body casts no shadow
const NOTHING: never[] = []; // one list, so that the view sees that nothing changed

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
  private readonly jointTrails = new JointTrails();
  private lead = MAIN; // the character that the camera goes with
  private isNew = false; // the main motion has not been brought into view yet
  private readonly made = new MadeMotions();
  private readonly refused = new Set<string>(); // motions whose frames the server cannot give

  constructor() {
    this.player.onFrame(() => this.draw());
    $effect.root(() => {
      whenever(() => studio.speed, (speed) => this.player.setSpeed(speed));
      whenever(() => studio.loop, (range) => this.player.setLoop(range));
      whenever(() => studio.looping, (isOn) => this.player.setLooping(isOn));
      whenever(() => studio.preferences.style, () => this.dress());
      whenever(() => [studio.preferences.ghosts, studio.preferences.ghostSeconds], () => this.drawAnew());
      whenever(() => studio.connection, () => this.draw()); // which asks for frames
      whenever(() => studio.trails, () => this.drawTrails());
      whenever(() => studio.revisions.takes, () => this.forgetLooks());
    });
  }

  /** Make the view on a canvas. */
  attach(canvas: HTMLCanvasElement): void {
    this.view = createView(canvas);
    this.view.on("pick", (picked) => {
      const member = this.members.find((member) => member.id === picked?.character);
      const joint = member && namesOf(member)[picked?.joint ?? -1];
      studio.picked = member && joint ? { motion: member.motion.id, joint } : null;
      this.view?.highlight(picked);
    });
    for (const name of ["waypoint", "target", "stroke", "select", "ground", "hover", "posed"] as const) {
      this.view.on(name, ((...args: unknown[]) => {
        for (const handler of this.handlers[name] ?? []) untrack(() => (handler as (...args: unknown[]) => void)(...args));
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
    this.follow();
    if (guest === null) this.view?.setGhosts(MAIN, []);
    this.view?.setFootprints(MAIN, [], 0);
    this.view?.setSupports(MAIN, NOTHING, 0, 1);
    this.view?.setTerrain(MAIN, null);
    this.ghostSlot = Number.NaN;
    this.dress();
  }

  /**
   * Keep a motion that the page made itself, such as a clip of a hub graph, so that it can be cast by its id: its frames,
   * and what feet stand on besides the floor. One of the same id and length is changed where it plays.
   */
  make(motion: T.Motion, frames: MadeFrames, supports: T.SupportBox[] = NOTHING): void {
    if (!this.made.keep(motion, frames, supports, (id) => this.members.some((member) => member.motion.id === id))) return;
    this.draw();
    if (!this.jointTrails.isEmpty) this.drawTrails();
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
    if (this.guest !== null || this.members.length > 0) this.view?.frameCharacter(this.followed);
  }

  /** Choose the character of the cast that the camera goes with. */
  setLead(number: number): void {
    this.lead = memberId(number);
    this.follow();
  }

  /** Let the camera go with the character that leads, if that is liked. */
  follow(): void {
    this.view?.setOptions({ follow: studio.preferences.follow ? this.followed : null });
  }

  /** How a character of the cast stands now; null while that is not known. */
  poseOf(number: number): Pose | null {
    const member = this.members[number];
    return member === undefined || member.store.bytes === 0 ? null : member.pose;
  }

  /** The character that leads; the main one while that is not there. */
  private get followed(): string {
    return this.guest === null && this.members.some(({ id }) => id === this.lead) ? this.lead : MAIN;
  }

  /** Where a joint or point of the main character is now, or at another time, metres; null where it is not, or not seen. */
  placeOf(joint: string, seconds?: number): Place | null {
    const [main] = this.members;
    const number = main === undefined ? -1 : numberOf(main, joint);
    const place = number < 0 ? null : placesOf(main, seconds)[number];
    return place?.every(Number.isFinite) ? place : null;
  }

  /** The middle of all points of the main motion, now or at another time, metres; null of a body. */
  middle(seconds?: number): Place | null {
    const [main] = this.members;
    const places = main?.points ? placesOf(main, seconds).filter((place) => place.every(Number.isFinite)) : [];
    return places.length === 0 ? null : ([0, 1, 2].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length) as Place);
  }

  /** The bones of the main character as it stands now, from joint to joint, or the mesh of a face, metres. */
  bonesOf(): [Place, Place][] {
    const [main] = this.members;
    return main === undefined ? [] : linesOf(main);
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
    const [main] = this.members;
    if (main) studio.trails = toggled(studio.trails, studio.picked, main.motion.id, main);
  }

  private async load(cast: CastMember[], turn: number): Promise<void> {
    try {
      const members = await Promise.all(cast.map((member, i) => this.open(member, memberId(i))));
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
    const rotations = new Float32Array(4 * (skeleton?.names.length ?? 0)).map((_, n) => (n % 4 === 0 ? 1 : 0));
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
    studio.trails = studio.trails.filter((trail) => main !== undefined && namesOf(main).includes(trail.joint));
    const seconds = secondsOf(members, this.wantedCast);
    const isAnswer = (member?: Member): boolean => member?.motion.id.startsWith("answer:") ?? false;
    const isMade = main !== undefined && this.made.has(main.motion.id); // what the hand does is seen at once
    this.player.show(main?.store ?? null, { crossfade: isAnswer(before) && isAnswer(main) && !isMade, seconds });
    studio.fps = main?.motion.fps ?? 60;
    if (main && before?.motion.id !== main.motion.id && !isAnswer(main) && !this.wantedCast[0]?.isVersion) {
      studio.loop = null;
      this.isNew = true;
      this.player.seek(0);
    } else if (before === undefined && main?.points) this.isNew = true;
    this.ghostSlot = Number.NaN;
    this.askedAt = 0;
    this.follow();
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
    this.view?.setOptions({ subject: this.guest === null && isFace(this.members[0]) ? "face" : "body" });
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
        motion.points ? [{ id, names: motion.points, looks: motion.looks ?? null, hue, floor: motion.floor, opacity }] : [],
      ),
    );
    this.draw();
    this.drawTrails();
  }

  private drawAnew(): void {
    this.ghostSlot = Number.NaN;
    this.draw();
  }

  /** Takes have changed: what is known of their steps and frames may be old. */
  private forgetLooks(): void {
    forgetSteps();
    this.cache.age();
    this.refused.clear();
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
    if (!this.jointTrails.isEmpty) this.showTrails();
    if (this.isNew && isComplete) {
      this.isNew = false;
      if (!studio.preferences.follow || this.members[0].points !== null) this.view.frameCharacter(this.followed);
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
    const [member] = this.members;
    if (member) this.view?.setGhosts(member.id, posesAround(member.store, slot, ghosts, ghostSeconds, member.pose));
  }

  /** Trace the joints whose trails are wanted; drawing them again costs nothing. */
  private drawTrails(): void {
    if (this.guest !== null) return;
    this.jointTrails.trace(studio.trails.map(({ joint }) => joint), this.members[0]);
    this.showTrails();
  }

  private showTrails(): void {
    this.view?.setTrails([...this.jointTrails.at(this.player.time), ...this.extras.trails]);
  }
}

export const stage = new Stage();

declare global {
  interface Window {
    motionloom?: { studio: typeof studio; stage: Stage }; // for the console and for measuring
  }
}
if (typeof window !== "undefined") window.motionloom = { studio, stage };
