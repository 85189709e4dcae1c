/** The order in which triangles are drawn: neighbours after each other, so that each vertex is worked out about once. */

const REMEMBERED = 16; // vertices that renderers keep; software ones keep as few as this

/**
 * Order triangles by going around one vertex after the other (as in tipsy fans: the next vertex is one that is still
 * remembered and has triangles left). Surfaces cut out of a grid come in the order of the grid, in which a renderer
 * works out most vertices several times.
 */
export function orderTriangles(triangles: ArrayLike<number>, vertices: number): Uint32Array {
  const { starts, around } = trianglesAround(triangles, vertices);
  const left = new Int32Array(vertices); // triangles not drawn yet
  for (let v = 0; v < vertices; v++) left[v] = starts[v + 1] - starts[v];
  const usedAt = new Int32Array(vertices).fill(-REMEMBERED - 1);
  const isDrawn = new Uint8Array(triangles.length / 3);
  const ordered = new Uint32Array(triangles.length);
  const recent: number[] = []; // vertices to come back to
  let time = 0;
  let filled = 0;
  let unseen = 0;
  let vertex = vertices > 0 ? 0 : -1;
  while (vertex >= 0) {
    const candidates: number[] = [];
    for (let k = starts[vertex]; k < starts[vertex + 1]; k++) {
      const triangle = around[k];
      if (isDrawn[triangle]) continue;
      isDrawn[triangle] = 1;
      for (let c = 0; c < 3; c++) {
        const corner = triangles[triangle * 3 + c];
        ordered[filled++] = corner;
        recent.push(corner);
        candidates.push(corner);
        left[corner]--;
        if (time - usedAt[corner] > REMEMBERED) usedAt[corner] = time++;
      }
    }
    vertex = chooseNext(candidates, left, usedAt, time);
    while (vertex < 0 && recent.length > 0) {
      const corner = recent.pop() as number;
      if (left[corner] > 0) vertex = corner;
    }
    while (vertex < 0 && unseen < vertices) if (left[unseen++] > 0) vertex = unseen - 1;
  }
  return ordered;
}

/** The vertex that is about to be forgotten, of those whose triangles all fit in before it is. */
function chooseNext(candidates: number[], left: Int32Array, usedAt: Int32Array, time: number): number {
  let best = -1;
  let oldest = -1;
  for (const vertex of candidates) {
    if (left[vertex] === 0) continue;
    const age = time - usedAt[vertex];
    const fits = age + 2 * left[vertex] <= REMEMBERED ? age : 0;
    if (fits > oldest) [best, oldest] = [vertex, fits];
  }
  return best;
}

/** For each vertex the triangles around it: those of vertex v are around[starts[v]] to around[starts[v + 1] - 1]. */
function trianglesAround(triangles: ArrayLike<number>, vertices: number): { starts: Int32Array; around: Int32Array } {
  const starts = new Int32Array(vertices + 1);
  for (let n = 0; n < triangles.length; n++) starts[triangles[n] + 1]++;
  for (let v = 0; v < vertices; v++) starts[v + 1] += starts[v];
  const next = starts.slice();
  const around = new Int32Array(triangles.length);
  for (let n = 0; n < triangles.length; n++) around[next[triangles[n]]++] = Math.floor(n / 3);
  return { starts, around };
}
