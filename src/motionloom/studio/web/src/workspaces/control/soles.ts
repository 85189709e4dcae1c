/** Footprints of the driven character: a sole where a foot comes to rest. */

import { forward } from "../../motion/kinematics";
import type { Footprint, Pose, SkeletonData } from "../../motion/types";

const MOST = 40; // that are kept
const BEHIND = 0.35; // of the way from ankle to ball: the heel is so far behind the ankle
const BEYOND = 0.45; // the tip of the toes is so far beyond the ball
// how far from heel to toe, and half the width of the sole there, both as parts of the foot's length
const OUTLINE = [[0, 0], [0.02, 0.07], [0.09, 0.115], [0.25, 0.11], [0.45, 0.115], [0.65, 0.165], [0.8, 0.175], [0.93, 0.13], [0.99, 0.06], [1, 0]] as const; // prettier-ignore

/** Metres: how high what is below a place is in a frame. */
type HeightAt = (x: number, y: number, z: number, frame: number) => number;
const onFloor: HeightAt = () => 0;

interface Foot {
  side: Footprint["side"];
  ankle: number;
  ball: number;
  bits: number; // of its heel and its ball among the contacts
  isDown: boolean;
}

export class Soles {
  prints: Footprint[] = []; // another list whenever one is added
  private readonly feet: Foot[];
  private readonly positions: Float32Array;
  private readonly turned: Float32Array;

  constructor(private readonly skeleton: SkeletonData) {
    this.feet = (["left", "right"] as const).flatMap((side, n) => {
      const [ankle, ball] = [skeleton.roles[`${side}_foot`], skeleton.roles[`${side}_ball`]];
      return ankle === undefined || ball === undefined ? [] : [{ side, ankle, ball, bits: 3 << (2 * n), isDown: false }];
    });
    this.positions = new Float32Array(skeleton.names.length * 3);
    this.turned = new Float32Array(skeleton.names.length * 4);
  }

  clear(): void {
    this.prints = [];
    for (const foot of this.feet) foot.isDown = false;
  }

  /** A frame was played; contacts: bits of left heel, left ball, right heel, right ball; below: what is under a place. Allocates for new soles only. */
  note(contacts: number, pose: Pose, frame: number, below: HeightAt = onFloor): void {
    for (let n = 0; n < this.feet.length; n++) {
      const foot = this.feet[n];
      const isFlat = (contacts & foot.bits) === foot.bits;
      if (isFlat && !foot.isDown) this.add(foot, pose, frame, below);
      if (isFlat) foot.isDown = true;
      else if ((contacts & foot.bits) === 0) foot.isDown = false;
    }
  }

  private add(foot: Foot, pose: Pose, frame: number, below: HeightAt): void {
    forward(this.skeleton, pose.root, pose.rotations, this.positions, this.turned);
    const at = this.positions;
    const [ax, az] = [at[foot.ankle * 3], at[foot.ankle * 3 + 2]];
    const [fx, fz] = [at[foot.ball * 3] - ax, at[foot.ball * 3 + 2] - az];
    const whole = 1 + BEHIND + BEYOND;
    const corner = (along: number, aside: number): [number, number] => [
      ax + fx * (along * whole - BEHIND) + fz * aside * whole,
      az + fz * (along * whole - BEHIND) - fx * aside * whole,
    ];
    const left = OUTLINE.map(([along, half]) => corner(along, half));
    const right = OUTLINE.slice(1, -1).map(([along, half]) => corner(along, -half)).reverse();
    const outline = [...left, ...right].reverse(); // counter-clockwise seen from above
    const height = below(at[foot.ball * 3], at[foot.ball * 3 + 1], at[foot.ball * 3 + 2], frame);
    this.prints = [...this.prints.slice(1 - MOST), { side: foot.side, frame, outline, height }];
  }
}
