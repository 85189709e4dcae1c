/** The camera on its orbit: angles, distance and what it looks at; moves smoothly and can follow a character. */

import { PerspectiveCamera, Vector3 } from "three";

const FIELD_OF_VIEW = 32; // degrees
const LOWEST = 0.01; // radians above the ground
const HIGHEST = Math.PI / 2 - 0.01;
const NEAREST = { body: 0.35, face: 0.08 }; // metres
const FARTHEST = 90;
const SETTLING = 0.07; // seconds in which most of a zoom is done
const TRAVELLING = 0.16; // the same for flying to a character
const FOLLOWING = 0.14; // the same for going after one
const SWINGING = 0.9; // the same for swinging round behind one
const LEAP = 1.2; // metres: a character that moves farther at once was teleported
const EYE_HEIGHT = 0.9; // metres, what is looked at of a standing person
const BELOW_ROOT = 0.1; // metres; of one whose hips are higher than usual, on steps or hills, what is looked at
const FACE_ELEVATION = 0.05; // radians from which a face is seen at first

/** What is looked at: a body stands on the ground, a face hangs in the air and is seen from any side, below too. */
export type Subject = "body" | "face";

interface Orbit {
  azimuth: number; // radians, 0 looks from +z
  elevation: number;
  distance: number; // metres
  target: Vector3;
}

export class OrbitCamera {
  readonly lens = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.05, 400);
  readonly now: Orbit = { azimuth: 0.62, elevation: 0.2, distance: 4.6, target: new Vector3(0, EYE_HEIGHT, 0) };
  private readonly goal: Orbit = { ...this.now, target: this.now.target.clone() };
  private readonly followed = new Vector3();
  private readonly offset = new Vector3(); // what the person panned away from the followed character
  private readonly scratch = new Vector3();
  private readonly sideways = new Vector3();
  private readonly upwards = new Vector3();
  private behind: number | null = null; // azimuth from which to look over the shoulder of the character
  private aside = 0; // radians that the person turned away from there
  private isFollowing = false;
  private hasFollowed = false;
  private whom: string | null = null; // is followed
  private isTravelling = false;
  private subject: Subject = "body";
  private readonly left = new Map<Subject, Orbit>(); // where it was when something else was looked at

  constructor() {
    this.place();
  }

  /** Look at another kind of thing, from where such was looked at last. */
  attend(subject: Subject): void {
    if (subject === this.subject) return;
    this.left.set(this.subject, copyOf(this.goal));
    this.subject = subject;
    const before = this.left.get(subject);
    for (const orbit of before === undefined ? [] : [this.now, this.goal]) {
      const { azimuth, elevation, distance, target } = before as Orbit;
      Object.assign(orbit, { azimuth, elevation, distance });
      orbit.target.copy(target);
    }
    this.hasFollowed = false;
    this.offset.set(0, 0, 0);
    this.place();
  }

  /** Turn around the target, radians. */
  orbit(azimuth: number, elevation: number): void {
    this.goal.azimuth += azimuth;
    this.aside += azimuth;
    this.goal.elevation = clamp(this.goal.elevation + elevation, this.lowest, HIGHEST);
    this.now.azimuth = this.goal.azimuth; // at once: it is being dragged
    this.now.elevation = this.goal.elevation;
    this.place();
  }

  /** Move so that what was under the pointer stays there; pixels right and down, in a picture `height` pixels high. */
  pan(dx: number, dy: number, height: number): void {
    const metres = this.metresPerPixel(height);
    this.lens.matrix.extractBasis(this.sideways, this.upwards, this.scratch);
    this.scratch
      .copy(this.sideways)
      .multiplyScalar(-dx * metres)
      .addScaledVector(this.upwards, dy * metres);
    if (this.isFollowing) this.offset.add(this.scratch);
    this.goal.target.add(this.scratch);
    this.now.target.add(this.scratch);
    this.place();
  }

  /** Come nearer (below 1) or go away (above 1); `about` stays where it is in the picture. */
  zoom(factor: number, about: Vector3 | null): void {
    const distance = clamp(this.goal.distance * factor, NEAREST[this.subject], FARTHEST);
    const scale = distance / this.goal.distance;
    this.goal.distance = distance;
    if (about !== null && !this.isFollowing) this.goal.target.sub(about).multiplyScalar(scale).add(about);
    this.isTravelling = false;
  }

  /** Bring a ball of space into the picture; fills most of it. With a front, radians, it is seen from there. */
  frame(middle: Vector3, radius: number, front: number | null = null): void {
    if (front !== null) for (const orbit of [this.now, this.goal]) Object.assign(orbit, { azimuth: front, elevation: FACE_ELEVATION });
    const vertical = (this.lens.fov * Math.PI) / 360;
    const narrow = Math.min(vertical, Math.atan(Math.tan(vertical) * this.lens.aspect));
    this.goal.distance = clamp((1.3 * radius) / Math.sin(narrow), NEAREST[this.subject], FARTHEST);
    this.goal.target.copy(middle);
    this.offset.set(0, 0, 0);
    if (this.isFollowing && this.hasFollowed) this.offset.y = middle.y - this.followed.y;
    this.isTravelling = true;
  }

  /** Stand at a place and look at another one, at once. */
  lookFrom(position: Vector3, target: Vector3): void {
    const away = this.scratch.subVectors(position, target);
    const distance = clamp(away.length(), NEAREST[this.subject], FARTHEST);
    const elevation = clamp(Math.asin(clamp(away.y / Math.max(away.length(), 1e-6), -1, 1)), this.lowest, HIGHEST);
    const azimuth = Math.atan2(away.x, away.z);
    for (const orbit of [this.now, this.goal]) {
      Object.assign(orbit, { azimuth, elevation, distance });
      orbit.target.copy(target);
    }
    if (this.isFollowing) this.offset.copy(target).sub(this.followed);
    this.place();
  }

  /** Go after the hips of a character, and up with them, or a face; or no longer (null). To another character it travels. */
  follow(place: Vector3 | null, whom: string | null = null): void {
    if (place === null) {
      this.isFollowing = this.hasFollowed = false;
      return;
    }
    if (!this.isFollowing) {
      this.isFollowing = true;
      this.offset.set(0, 0, 0);
    }
    if (this.hasFollowed && whom === this.whom && Math.hypot(place.x - this.followed.x, place.z - this.followed.z) > LEAP) {
      this.now.target.x += place.x - this.followed.x; // it was teleported: go along
      this.now.target.z += place.z - this.followed.z;
    }
    this.hasFollowed = true;
    this.whom = whom;
    this.followed.set(place.x, this.subject === "face" ? place.y : Math.max(EYE_HEIGHT, place.y - BELOW_ROOT), place.z);
    this.goal.target.copy(this.followed).add(this.offset);
  }

  /** Swing round behind a character with this heading, radians; or stay where it is (null). */
  chase(heading: number | null): void {
    if (heading !== null && this.behind === null) this.aside = 0;
    this.behind = heading === null ? null : heading + Math.PI;
  }

  /** Go on for some seconds; true while it still moves. */
  update(seconds: number): boolean {
    const { now, goal } = this;
    const swings = this.swing(seconds);
    const slow = this.isTravelling ? TRAVELLING : SETTLING;
    const part = 1 - Math.exp(-seconds / slow);
    const step = 1 - Math.exp(-seconds / (this.isFollowing && !this.isTravelling ? FOLLOWING : slow));
    now.distance += (goal.distance - now.distance) * part;
    now.target.lerp(goal.target, step);
    const rests = now.target.distanceTo(goal.target) < 1e-3 * now.distance && Math.abs(goal.distance / now.distance - 1) < 1e-3;
    if (rests) {
      now.target.copy(goal.target);
      now.distance = goal.distance;
      this.isTravelling = false;
    }
    this.place();
    return !rests || swings;
  }

  resize(width: number, height: number): void {
    this.lens.aspect = width / Math.max(height, 1);
    this.lens.updateProjectionMatrix();
  }

  /** Metres that a pixel covers at the distance of what is looked at. */
  metresPerPixel(height: number): number {
    return (2 * Math.tan((this.lens.fov * Math.PI) / 360) * this.now.distance) / Math.max(height, 1);
  }

  private get lowest(): number {
    return this.subject === "face" ? -HIGHEST : LOWEST;
  }

  private swing(seconds: number): boolean {
    if (this.behind === null) return false;
    const away = this.behind + this.aside - this.goal.azimuth;
    const left = away - 2 * Math.PI * Math.round(away / (2 * Math.PI)); // the short way round
    this.goal.azimuth += left * (1 - Math.exp(-seconds / SWINGING));
    this.now.azimuth = this.goal.azimuth;
    return Math.abs(left) > 0.01;
  }

  private place(): void {
    const { azimuth, elevation, distance, target } = this.now;
    const { lens } = this;
    lens.position.set(Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation), Math.cos(azimuth) * Math.cos(elevation));
    lens.position.multiplyScalar(distance).add(target);
    if (this.subject === "body" && lens.position.y < 0.03) lens.position.y = 0.03; // never under the ground
    lens.lookAt(target);
    const near = clamp(0.03 * distance, this.subject === "face" ? 0.003 : 0.02, 0.5);
    if (Math.abs(near / lens.near - 1) > 0.05) {
      lens.near = near;
      lens.updateProjectionMatrix();
    }
    lens.updateMatrix();
    lens.updateMatrixWorld();
  }
}

function copyOf({ target, ...orbit }: Orbit): Orbit {
  return { ...orbit, target: target.clone() };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
