/** Driving: input in, a moving character out. State that components show; the loop writes it when it changes. */

import type * as T from "../../api/types";
import { loadBody } from "../../motion/loading";
import type { Pose } from "../../motion/types";
import { Planner } from "../../player";
import type { Guest } from "../../guest";
import { MAIN, stage } from "../../stage.svelte";
import { type HeldHubs, notify, studio } from "../../state.svelte";
import type { Trail } from "../../view3d/types";
import type { Played } from "../walks/walk";
import { factsOf, type GraphFacts, type Mapped, mapButtons, proposeButtons, steeredClips } from "./mapping";
import { bitOf, type ButtonId, BUTTONS, type Hands, HeldKeys, PAUSE_BIT, readPad, RESET_BIT, ScreenPad } from "./pads";
import { type GroundWay, placeWay, wayOf } from "./paths";
import { Pilot } from "./pilot";
import { placeFrame, poseOf, Ride } from "./ride";
import { curvatureOf, type Reach, reachOf, speedOf } from "./steering";
import { LAST } from "./trail";

const MOST_PLAYED = 400; // clips that are remembered
const MOVED = 0.02; // of a stick: less changes nothing

class Drive {
  held = $state.raw<Planner | null>(null);
  graph = $state.raw<GraphFacts | null>(null);
  ways = $state.raw<readonly GroundWay[]>([]);
  proposed = $state.raw<Readonly<Record<string, T.ButtonPart>>>({});
  buttons = $state.raw<readonly Mapped[]>([]);
  steered = $state.raw<readonly number[]>([]);
  reach = $state.raw<Reach>(reachOf([]));

  clip = $state(-1); // that plays
  next = $state(-1); // that will
  node = $state(0); // where the next choice is
  stick = $state({ x: 0, y: 0 });
  asked = $state({ speed: 0, curvature: 0 });
  pressed = $state(0); // bits of buttons that light up
  wished = $state<ButtonId | null>(null); // the button that waits to be done
  /** What the badge shows about it or about the goal: the walk to a clip, or a sentence. */
  private announced = $state.raw<{ clips: readonly number[]; name: string } | string | null>(null);
  untilChoice = $state(0); // seconds
  waited = $state<number | null>(null); // seconds from the last press until it was chosen
  goal = $state.raw<[number, number] | null>(null); // metres: where to go
  path = $state.raw<[number, number][]>([]); // of the next clip, on the ground
  played = $state.raw<readonly Played[]>([]);
  pad = $state<string | null>(null); // name of the gamepad
  previewed = $state<string | null>(null); // clip under the pointer
  isDragging = $state(false); // a clip is being dragged
  isChasing = $state(true); // the camera stays behind the character

  ride: Ride | null = null;
  private pilot: Pilot | null = null;
  private readonly keys = new HeldKeys();
  private readonly hands: Hands = { x: 0, y: 0, buttons: 0, struck: 0 };
  private readonly screen = new ScreenPad();
  private holding = 0; // bits of buttons that were held at the last look
  private readonly decided = { x: 0, y: 0 }; // of the stick, at the last decision
  private single = -1; // a clip that was requested by a click
  private isGoing = false; // the goal's graph walk is followed
  private pressedAt = 0; // seconds of the ride
  private request = 0;
  private last = 0; // milliseconds
  private ghost: Pose | null = null;
  private guest: Guest | null = null;
  private readonly trails: Trail[] = [{ id: "drive", joint: "way", points: new Float32Array(0), current: LAST, colour: "" }]; // of the theme; see `recolour`

  /** The clips to steer by at the next hub. */
  get offered(): readonly number[] {
    void this.buttons;
    return this.graph === null ? [] : (this.pilot?.offered(this.node) ?? []);
  }

  /** "switch, then kick: 0.8 s", counting down; null where nothing waits. */
  get way(): string | null {
    const { announced } = this;
    if (announced === null || typeof announced === "string") return announced;
    return this.pilot?.describe(announced.clips, announced.name, this.untilChoice) ?? null;
  }

  get askedText(): string {
    const turn = Math.abs(this.asked.curvature) < 0.05 ? "straight on" : this.asked.curvature > 0 ? "to the left" : "to the right";
    return `${this.asked.speed.toFixed(1)} m/s, ${turn}`;
  }

  /** Take another graph, or none; what was driven before is over. */
  take(hubs: HeldHubs | null): void {
    if (hubs === null) {
      this.held = this.graph = this.ride = this.pilot = null;
      return;
    }
    const { graph } = hubs;
    this.held = new Planner(graph);
    this.graph = factsOf(graph);
    this.ways = graph.clips.map((clip) => wayOf(graph.roots, clip.first, clip.frames, clip.placement));
    this.proposed = proposeButtons(this.graph);
    this.ghost = poseOf(graph.skeleton);
    this.remap(studio.document.control.buttons);
    this.restart();
  }

  /** Buttons were changed. */
  remap(own: Readonly<Record<string, T.ButtonPart>>): void {
    if (this.graph === null || this.held === null) return;
    const { graph } = this;
    this.buttons = mapButtons(graph, own);
    const { isAlive } = this.held;
    const free = steeredClips(graph, this.buttons);
    const alive = free.filter((c) => isAlive[c]); // the others lead to dead ends
    this.steered = alive.length > 0 ? alive : free;
    this.reach = reachOf(this.steered.map((c) => graph.clips[c]));
    this.pilot = new Pilot(graph, this.buttons, this.steered, this.held);
    if (this.ride !== null) this.decide();
  }

  /** Show the character. */
  enter(): void {
    const { held } = this;
    if (held === null || this.ride === null) return;
    const guest: Guest = {
      spec: { skeleton: held.graph.skeleton, body: null, hue: 0, floor: 0, opacity: 1 },
      dressed: () => this.draw(true),
      toggle: () => (studio.playing ? this.pause() : this.play()),
      seek: (time) => time <= 0 && this.reset(),
      step: (frames) => frames > 0 && !studio.playing && this.advance(frames / held.graph.fps),
    };
    this.guest = guest;
    stage.setGuest(guest);
    void loadBody(held.graph.skeleton.digest).then(
      (body) => {
        if (this.guest !== guest) return;
        guest.spec = { ...guest.spec, body };
        stage.setGuest(guest);
      },
      () => undefined, // it stays a stick figure
    );
    studio.fps = held.graph.fps;
    this.decide();
    this.play();
  }

  /** Hide the character; the view shows the cast again. */
  leave(): void {
    this.pause();
    cancelAnimationFrame(this.request);
    this.request = 0;
    this.guest = null;
    this.keys.clear();
    stage.view?.setTrails([]);
    stage.view?.chase(null);
    stage.setGuest(null);
  }

  /** The theme has changed. */
  recolour(): void {
    const [trail] = this.trails;
    trail.colour = getComputedStyle(document.documentElement).getPropertyValue("--view-accent").trim();
    this.draw(true);
  }

  play(): void {
    if (this.ride === null) return;
    if (this.ride.player.isEnded) return this.reset();
    studio.playing = true;
    this.last = performance.now();
    if (this.request === 0) this.request = requestAnimationFrame(this.tick);
  }

  pause(): void {
    studio.playing = false;
  }

  /** Back to the start: the first hub, in the middle of the ground. */
  reset(): void {
    if (this.held === null) return;
    const wasOver = this.ride?.player.isEnded ?? false;
    this.restart();
    this.decide();
    this.draw(true);
    if (wasOver) this.play(); // it had stopped by itself
    stage.frameCharacter();
  }

  /** A key was pressed or released; true if it is used for driving. */
  key(code: string, isDown: boolean): boolean {
    if (!isDown) {
      this.keys.release(code);
      return false;
    }
    return this.ride !== null && this.keys.press(code);
  }

  releaseKeys(): void {
    this.keys.clear();
  }

  pushStick(x: number, y: number): void {
    this.screen.push(x, y);
  }

  holdButton(bit: number, isDown: boolean): void {
    this.screen.hold(bit, isDown);
  }

  /** Play one clip, as soon as its hub is reached. */
  playClip(clip: number): void {
    this.single = clip;
    this.goal = null;
    this.wished = null;
    this.decide();
  }

  /** Go to a place on the ground. */
  goTo(x: number, z: number): void {
    if (this.ride === null) return;
    this.wished = null;
    this.single = -1;
    this.goal = [x, z];
    const found = this.ride.player.goTo([x, z]);
    this.isGoing = found.clips.length > 0;
    if (found.clips.length === 0) this.stopGoing();
    else this.announced = found.isReached ? `there in ${found.seconds.toFixed(1)} s` : `nearest: ${found.distance.toFixed(1)} m from there, ${found.seconds.toFixed(1)} s`;
    this.publishNext();
  }

  /** How far a button is from the next hub: "at once", "after switch", "cannot be reached". */
  distanceText(mapped: Mapped): string {
    const way = this.pilot?.wayToButton(this.node, mapped.id, this.asked, true) ?? null;
    if (way === null) return "out of reach from here";
    if (way.length === 1) return "next";
    const seconds = this.held?.secondsOf(way.slice(0, -1)) ?? 0;
    return `${seconds.toFixed(1)} s away`;
  }

  private restart(): void {
    const { held } = this;
    if (held === null) return;
    this.ride = new Ride(held, {
      choose: () => this.decide(),
      begun: (clip) => this.begun(clip),
      ended: () => this.ended(),
    });
    this.played = [];
    this.waited = null;
    this.wished = this.announced = null;
    this.single = -1;
    this.stopGoing();
    this.clip = this.next = -1;
    studio.time = 0;
  }

  private readonly tick = (now: number): void => {
    this.request = requestAnimationFrame(this.tick);
    const seconds = (now - this.last) / 1000;
    this.last = now;
    this.poll();
    if (studio.playing) this.advance(seconds * studio.speed);
  };

  private advance(seconds: number): void {
    this.ride?.run(seconds);
    this.draw(false);
  }

  /** Read all input devices. */
  private poll(): void {
    const { hands } = this;
    hands.x = hands.y = hands.buttons = hands.struck = 0;
    this.screen.read(hands);
    const pads = navigator.getGamepads?.();
    if (pads) for (let n = 0; n < pads.length; n++) {
      const pad = pads[n];
      if (pad) readPad(pad, hands);
    }
    this.keys.read(hands);
    const isNew = (hands.buttons & ~this.holding) | hands.struck;
    this.holding = hands.buttons;
    const lit = hands.buttons | hands.struck;
    if (this.pressed !== lit) this.pressed = lit;
    if (isNew !== 0) this.press(isNew);
    const hasMoved = Math.abs(hands.x - this.decided.x) > MOVED || Math.abs(hands.y - this.decided.y) > MOVED;
    const isBack = hands.x === 0 && hands.y === 0 && (this.decided.x !== 0 || this.decided.y !== 0);
    if (!hasMoved && !isBack) return;
    this.decided.x = this.stick.x = hands.x;
    this.decided.y = this.stick.y = hands.y;
    if (hands.x !== 0 || hands.y !== 0) this.stopGoing();
    this.decide();
  }

  private press(bits: number): void {
    if (bits & PAUSE_BIT) (studio.playing ? this.pause() : this.play());
    if (bits & RESET_BIT) this.reset();
    for (let n = 0; n < BUTTONS.length; n++) {
      if ((bits & (1 << n)) === 0) continue;
      const mapped = this.buttons[n];
      if (mapped === undefined || mapped.clips.length === 0) continue;
      this.wished = mapped.id;
      this.single = -1;
      this.pressedAt = this.ride?.seconds ?? 0;
      this.stopGoing();
      this.decide();
    }
  }

  /** Choose what comes at the next hub, from the current input. */
  private decide(): void {
    const { ride, pilot } = this;
    if (ride === null || pilot === null) return;
    const { x, y } = this.decided;
    this.asked.speed = speedOf(x, y, this.reach);
    this.asked.curvature = curvatureOf(x, this.reach);
    if (this.isGoing) {
      if (ride.player.coming.length > 0) return this.publishNext();
      this.stopGoing();
    }
    this.node = ride.player.nextNode;
    ride.player.follow(this.wishedWay() ?? pilot.steer(this.node, this.asked));
    this.publishNext();
  }

  private wishedWay(): readonly number[] | null {
    const { ride, pilot, graph } = this;
    if (ride === null || pilot === null || graph === null) return null;
    if (this.single >= 0) {
      const way = pilot.wayToClip(this.node, this.single);
      if (way === null) this.single = this.refuse(graph.clips[this.single].name);
      else this.announced = { clips: way, name: graph.clips[this.single].name };
      return way;
    }
    if (this.wished === null) return null;
    const name = this.buttons.find((button) => button.id === this.wished)?.name ?? "";
    const isSteering = this.decided.x !== 0 || this.decided.y !== 0;
    const way = pilot.wayToButton(this.node, this.wished, this.asked, isSteering);
    if (way !== null) this.announced = { clips: way, name };
    else {
      this.refuse(name);
      this.wished = null;
    }
    return way;
  }

  private refuse(name: string): -1 {
    notify("warning", `There is no way from ${this.graph?.nodes[this.node]?.name ?? "here"} to ${name}; add a hub in the Graph workspace that joins them`);
    this.announced = null;
    return -1;
  }

  /** Another clip plays. */
  private begun(clip: number): void {
    const { ride, graph, pilot } = this;
    if (ride === null || graph === null || pilot === null) return;
    this.clip = clip;
    this.played = [...this.played.slice(1 - MOST_PLAYED), { clip, start: ride.frames / ride.planner.graph.fps }];
    if (this.single === clip) {
      this.single = -1;
      this.announced = null;
    }
    const done = this.buttons.find((button) => button.id === this.wished && button.clips.includes(clip));
    if (done !== undefined) {
      if (this.pressedAt >= 0) this.waited = ride.seconds - this.pressedAt;
      this.pressedAt = -1;
      pilot.takeTurn(done.id);
      const isHeld = (this.holding & bitOf(done.id)) !== 0;
      if (!isHeld) this.wished = null;
      this.announced = null;
    } else if (this.asked.speed === 0) pilot.takeTurn("rest");
    this.decide();
  }

  /** Nothing follows: show that; playing on starts again. */
  private ended(): void {
    const name = this.graph?.clips[this.clip]?.name ?? "this clip";
    this.pause();
    this.wished = null;
    this.single = -1;
    this.stopGoing();
    this.announced = `${name} leads to the end of its take; R starts again`;
  }

  stopGoing(): void {
    if (this.goal !== null) this.announced = null;
    this.goal = null;
    this.isGoing = false;
  }

  /** Show what comes next: named, on the dial, and on the ground. */
  private publishNext(): void {
    const { ride, held } = this;
    if (ride === null || held === null) return;
    const { player } = ride;
    const next = player.coming[0] ?? -1;
    this.next = next;
    this.node = player.nextNode;
    if (next < 0 || this.ghost === null) {
      this.path = [];
      return;
    }
    const [x, z, heading] = player.arrive();
    this.path = placeWay(this.ways[next], x, z, heading);
    const { first, frames } = held.graph.clips[next];
    placeFrame(held.graph, first + frames - 1, x, z, heading, this.ghost);
    if (this.guest !== null) stage.view?.setGhosts(MAIN, [this.ghost]);
  }

  private draw(isNew: boolean): void {
    const { ride } = this;
    const { view } = stage;
    if (ride === null || this.guest === null) return;
    studio.time = studio.length = ride.seconds;
    this.untilChoice = Math.round(ride.player.secondsToChoice * 20) / 20;
    if (view === null) return;
    view.pose(MAIN, ride.pose);
    view.chase(this.isChasing ? ride.heading : null);
    const trail = this.trails[0];
    if (isNew || trail.points !== ride.trail.points) {
      trail.points = ride.trail.points;
      view.setTrails(this.trails);
    }
    if (isNew || ride.soles.prints.length > 0) view.setFootprints(MAIN, ride.soles.prints, ride.frames);
    view.setSupports(MAIN, ride.below.supports, ride.frames, ride.planner.graph.fps);
    if (isNew && this.ghost !== null && this.next >= 0) view.setGhosts(MAIN, [this.ghost]);
  }
}

export const drive = new Drive();
if (typeof window !== "undefined" && window.motionloom) Object.assign(window.motionloom, { drive }); // for the console and for tests
