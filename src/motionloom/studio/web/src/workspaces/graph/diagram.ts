/** The node graph as a picture: hubs as circles, clips as arcs between them, petals where a clip comes back. */

export interface DiagramClip {
  source: number; // node
  target: number;
  seconds: number;
}

export interface Circle {
  node: number;
  x: number;
  y: number;
  radius: number;
}

export interface Arc {
  clip: number;
  path: string; // of an SVG
  tip: [number, number]; // where its middle is
  isPetal: boolean;
}

export interface Stub {
  node: number;
  path: string;
  end: [number, number];
  isIn: boolean; // it comes from the start of a take
}

export interface Diagram {
  circles: Circle[];
  arcs: Arc[];
}

const EDGE = 8; // pixels kept free around

/** Lay hubs on a ring, the first at the left, and arcs between them; sizes show how much choice there is. */
export function layDiagram(hubs: number, clips: readonly DiagramClip[], width: number, height: number): Diagram {
  const middle = [width / 2, height / 2];
  const leaving = Array.from({ length: hubs }, (_, hub) => clips.filter((clip) => clip.source === hub).length);
  const most = Math.max(1, ...leaving);
  const half = [width / 2 - EDGE, height / 2 - EDGE];
  const share = hubs < 5 ? 0.48 : 0.62; // of the way from the middle to an edge; beyond is room for petals
  const ring = hubs === 1 ? [0, 0] : [half[0] * share, hubs === 2 ? 0 : half[1] * share];
  const largest = Math.max(8, Math.min(28, hubs === 1 ? half[1] * 0.34 : (half[1] * 1.1) / (hubs + 1)));
  const room = hubs === 1 ? Math.min(...half) : Math.min(half[0] - ring[0], half[1]) * 0.96;
  const circles = leaving.map((count, node) => {
    const angle = Math.PI + (2 * Math.PI * node) / hubs;
    const radius = largest * (0.55 + 0.45 * Math.sqrt(count / most));
    return { node, x: middle[0] + ring[0] * Math.cos(angle), y: middle[1] + ring[1] * Math.sin(angle), radius };
  });
  const slowest = Math.max(0.1, ...clips.map((clip) => clip.seconds));
  const arcs = clips.flatMap((clip, number) => {
    const [from, to] = [circles[clip.source], circles[clip.target]];
    if (from === undefined || to === undefined) return [];
    const like = clips.flatMap((other, i) => (other.source === clip.source && other.target === clip.target ? [i] : []));
    const order = like.indexOf(number);
    return [from === to ? petal(from, number, Math.sqrt(clip.seconds / slowest), order, like.length, circles, room) : bow(from, to, number, order, like.length, height)];
  });
  return { circles, arcs };
}

/** A loop at a circle; many of them stand around it as a flower, longer clips reach farther. */
function petal(at: Circle, clip: number, reach: number, order: number, count: number, circles: Circle[], room: number): Arc {
  const isAlone = circles.length === 1;
  const centre = circles.reduce((sum, circle) => [sum[0] + circle.x / circles.length, sum[1] + circle.y / circles.length], [0, 0]);
  const outward = isAlone ? -Math.PI / 2 : Math.atan2(at.y - centre[1], at.x - centre[0]);
  const spread = isAlone ? 2 * Math.PI : Math.PI * 1.1;
  const step = spread / (isAlone ? Math.max(count, 3) : Math.max(count, 1));
  const angle = outward + (order - (count - 1) / 2) * step;
  const half = Math.min(0.42, step * 0.45);
  const length = at.radius + (room - at.radius) * (0.3 + 0.7 * reach) * (isAlone ? 0.98 : 0.9);
  const point = (turn: number, far: number): [number, number] => [at.x + far * Math.cos(angle + turn), at.y + far * Math.sin(angle + turn)];
  const [begin, end] = [point(-half, at.radius), point(half, at.radius)];
  const [out, back] = [point(-half * 1.25, at.radius + (length - at.radius) * 1.33), point(half * 1.25, at.radius + (length - at.radius) * 1.33)];
  return { clip, path: `M${fix(begin)} C${fix(out)} ${fix(back)} ${fix(end)}`, tip: point(0, length), isPetal: true };
}

/** An arc from one circle to another; several fan out to the right. */
function bow(from: Circle, to: Circle, clip: number, order: number, count: number, height: number): Arc {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / far, dy / far];
  const widest = Math.min(height * 0.42, far * 0.5);
  const lift = count === 1 ? widest * 0.4 : widest * (0.22 + (0.78 * order) / (count - 1));
  const side: [number, number] = [uy * lift, -ux * lift];
  const slant = Math.min(0.9, Math.atan2(lift, far / 2) * 1.15);
  const edge = (circle: Circle, way: number, turn: number): [number, number] => {
    const angle = Math.atan2(uy, ux) + way + turn;
    return [circle.x + circle.radius * Math.cos(angle), circle.y + circle.radius * Math.sin(angle)];
  };
  const [begin, end] = [edge(from, 0, -slant), edge(to, Math.PI, slant)];
  const middle: [number, number] = [(from.x + to.x) / 2 + side[0], (from.y + to.y) / 2 + side[1]];
  const control: [number, number] = [2 * middle[0] - (begin[0] + end[0]) / 2, 2 * middle[1] - (begin[1] + end[1]) / 2];
  return { clip, path: `M${fix(begin)} Q${fix(control)} ${fix(end)}`, tip: middle, isPetal: false };
}

/** Short lines for dead ends, below a circle, and for clips that cannot be reached. */
export function layStubs(circle: Circle, count: { out: number; in: number }): Stub[] {
  const stubs: Stub[] = [];
  const lay = (isIn: boolean, number: number): void => {
    for (let k = 0; k < number; k++) {
      const angle = Math.PI / 2 + (isIn ? 0.35 : -0.35) + (isIn ? 1 : -1) * k * 0.22;
      const point = (far: number): [number, number] => [circle.x + far * Math.cos(angle), circle.y + far * Math.sin(angle)];
      const end = point(circle.radius + 16);
      stubs.push({ node: circle.node, path: `M${fix(point(circle.radius + 1))} L${fix(end)}`, end, isIn });
    }
  };
  lay(false, Math.min(4, count.out));
  lay(true, Math.min(4, count.in));
  return stubs;
}

const fix = ([x, y]: readonly [number, number]): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
