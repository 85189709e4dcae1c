/** A clip as a small moving stick figure, drawn on a flat canvas. */

import type { Pose } from "../../motion/types";
import { type HubGraph, writeJoints } from "../../player";
import { placeFrame, poseOf } from "./ride";

const [YAW, PITCH] = [0.7, 0.22]; // radians: it is looked at from the front, a little from above
const PAUSE = 0.35; // seconds between two times

export class StickPicture {
  private readonly pose: Pose;
  private readonly positions: Float32Array; // (J * 3)
  private readonly limbs: { from: number; to: number; colour: string }[];
  private readonly box = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };

  /** colours: left limbs, right limbs, the rest. */
  constructor(
    private readonly graph: HubGraph,
    private readonly clip: number,
    colours: readonly string[],
  ) {
    const { skeleton } = graph;
    this.pose = poseOf(skeleton);
    this.positions = new Float32Array(skeleton.names.length * 3);
    this.limbs = skeleton.parents.flatMap((parent, joint) => {
      const name = skeleton.names[joint];
      const side = /^l(eft)?[_A-Z]|left/i.test(name) ? 0 : /^r(ight)?[_A-Z]|right/i.test(name) ? 1 : 2;
      return parent < 0 ? [] : [{ from: parent, to: joint, colour: colours[side] }];
    });
    const { frames } = graph.clips[clip];
    for (let frame = 0; frame < frames; frame += Math.max(1, frames >> 4)) this.measure(frame);
    this.measure(frames - 1);
  }

  draw(canvas: HTMLCanvasElement, seconds: number): void {
    const pen = canvas.getContext("2d");
    if (pen === null) return;
    const { frames } = this.graph.clips[this.clip];
    const length = frames / this.graph.fps + PAUSE;
    this.place(Math.min(frames - 1, Math.floor((seconds % length) * this.graph.fps)));
    const { left, right, low, high } = this.box;
    const scale = 0.84 * Math.min(canvas.width / (right - left), canvas.height / (high - low));
    const x = (joint: number): number => canvas.width / 2 + (this.across(joint) - (left + right) / 2) * scale;
    const y = (joint: number): number => canvas.height / 2 - (this.up(joint) - (low + high) / 2) * scale;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.lineCap = "round";
    pen.lineWidth = Math.max(2, 0.055 * scale);
    for (const { from, to, colour } of this.limbs) {
      pen.strokeStyle = colour;
      pen.beginPath();
      pen.moveTo(x(from), y(from));
      pen.lineTo(x(to), y(to));
      pen.stroke();
    }
  }

  private place(frame: number): void {
    placeFrame(this.graph, this.graph.clips[this.clip].first + frame, 0, 0, 0, this.pose);
    writeJoints(this.graph.skeleton, this.pose.root, this.pose.rotations, this.positions);
  }

  private measure(frame: number): void {
    this.place(frame);
    const { box } = this;
    for (let joint = 0; joint < this.positions.length / 3; joint++) {
      box.left = Math.min(box.left, this.across(joint) - 0.1);
      box.right = Math.max(box.right, this.across(joint) + 0.1);
      box.low = Math.min(box.low, this.up(joint) - 0.05);
      box.high = Math.max(box.high, this.up(joint) + 0.15);
    }
  }

  private across(joint: number): number {
    return this.positions[joint * 3] * Math.cos(YAW) - this.positions[joint * 3 + 2] * Math.sin(YAW);
  }

  private up(joint: number): number {
    const depth = this.positions[joint * 3] * Math.sin(YAW) + this.positions[joint * 3 + 2] * Math.cos(YAW);
    return this.positions[joint * 3 + 1] * Math.cos(PITCH) - depth * Math.sin(PITCH);
  }
}
