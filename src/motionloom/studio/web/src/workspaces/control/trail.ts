/** The trail of a character on the ground: a fixed number of points, of which the oldest are dropped. */

const POINTS = 160;
const EVERY = 5; // frames
const HEIGHT = 0.012; // metres above the ground

export class GroundTrail {
  /** (POINTS * 3) metres; another array, of two, whenever a point was added. */
  points: Float32Array;
  private spare: Float32Array;
  private since = 0;

  constructor(place: ArrayLike<number>) {
    this.points = new Float32Array(POINTS * 3);
    for (let n = 0; n < POINTS; n++) put(this.points, n, place);
    this.spare = this.points.slice();
  }

  /** A frame was played; true where that added a point. */
  note(place: ArrayLike<number>): boolean {
    this.since += 1;
    if (this.since < EVERY) return false;
    this.since = 0;
    for (let n = 3; n < POINTS * 3; n++) this.spare[n - 3] = this.points[n];
    put(this.spare, POINTS - 1, place);
    const old = this.points;
    this.points = this.spare;
    this.spare = old;
    return true;
  }
}

export const LAST = POINTS - 1;

function put(points: Float32Array, n: number, place: ArrayLike<number>): void {
  points[n * 3] = place[0];
  points[n * 3 + 1] = HEIGHT;
  points[n * 3 + 2] = place[2];
}
