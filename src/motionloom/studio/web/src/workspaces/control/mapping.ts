/** The mapping of clips to buttons: proposed from actions and labels, changed by people. */

import type * as T from "../../api/types";
import type { HubGraph } from "../../player";
import { MOSTLY } from "../../player/constants";
import { BUTTONS, type ButtonId } from "./pads";
import { RESTING } from "./steering";

/** What buttons and steering need to know about a graph. */
export interface GraphFacts {
  nodes: readonly { name: string; kind: "hub" | "start" | "end" }[];
  clips: readonly ClipFacts[];
  actions: readonly { name: string; clips: readonly number[] }[];
}

export interface ClipFacts {
  name: string;
  source: number; // node
  target: number;
  labels: Readonly<Record<string, number>>; // share of its frames
  seconds: number;
  speed: number; // m/s
  turn: number; // radians, positive to the left
  curvature: number; // 1/m
}

/** The facts about the graph that is played. */
export function factsOf(graph: HubGraph): GraphFacts {
  const clips = graph.clips.map(({ name, source, target, labels, controls }) => ({ name, source, target, labels, ...controls }));
  return { nodes: graph.nodes, clips, actions: graph.actions };
}

/** One button as it is now. */
export interface Mapped {
  id: ButtonId;
  name: string; // "" where nothing is on it
  clips: readonly number[];
  missing: readonly string[]; // clips that this graph does not have
  isOwn: boolean; // changed by a person
}

/** Labels of locomotion, or of waiting: the stick does that. */
const STEERED = /^(walk|run|jog|sneak|stroll|march|strafe|turn|circle|curve|arc|veer|about.?face|u.?turn|stand|stance|ready|guard|fight|idle|wait|rest|stop|go|step|normal|left|right|forward|backward|sideways)/i;
/** Labels that people look for first, in this order. */
const FAMILIAR = ["punch", "jab", "kick", "dodge", "duck", "block", "shuffle", "jump", "switch", "wave"];

/** What buttons do by default: an action each, of clips that only a button can start. */
export function proposeButtons(graph: GraphFacts): Record<string, T.ButtonPart> {
  const all = actionsOf(graph);
  const done = all.filter(({ name }) => !STEERED.test(name)).sort((a, b) => rank(a.name) - rank(b.name));
  const groups = all.length > 0 ? done : unnamedGroups(graph);
  const proposed: Record<string, T.ButtonPart> = {};
  groups.slice(0, BUTTONS.length).forEach(({ name, clips }, n) => {
    proposed[BUTTONS[n].id] = { name, clips: clips.map((c) => graph.clips[c].name) };
  });
  return proposed;
}

/** The buttons as they are: what people changed, else what is proposed. */
export function mapButtons(graph: GraphFacts, own: Readonly<Record<string, T.ButtonPart>>): Mapped[] {
  const proposed = proposeButtons(graph);
  const number = new Map(graph.clips.map((clip, c) => [clip.name, c]));
  return BUTTONS.map(({ id }) => {
    const part = own[id] ?? proposed[id] ?? { name: "", clips: [] };
    const clips = part.clips.flatMap((name) => number.get(name) ?? []);
    return {
      id,
      name: part.name || nameOf(graph, clips),
      clips,
      missing: part.clips.filter((name) => !number.has(name)),
      isOwn: id in own,
    };
  });
}

/** The clips that the stick chooses from: those on no button that go on, or all that go on where there are none. */
export function steeredClips(graph: GraphFacts, buttons: readonly Mapped[]): number[] {
  const taken = new Set(buttons.flatMap((button) => button.clips));
  const going = graph.clips.flatMap((clip, c) => (graph.nodes[clip.target].kind === "hub" && isHub(graph, clip.source) ? [c] : []));
  const free = going.filter((c) => !taken.has(c));
  return free.length > 0 ? free : going;
}

/** The name of a button with these clips: the label that most of them share, else the first clip. */
export function nameOf(graph: GraphFacts, clips: readonly number[]): string {
  const counts = new Map<string, number>();
  for (const c of clips) {
    for (const [label, share] of Object.entries(graph.clips[c].labels)) {
      if (share > MOSTLY && !STEERED.test(label)) counts.set(label, (counts.get(label) ?? 0) + share);
    }
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best?.[0] ?? (clips.length > 0 ? plainName(graph.clips[clips[0]].name) : "");
}

/** "punch 2" is a punch. */
export function plainName(clip: string): string {
  return clip.replace(/ \d+$/, "");
}

function actionsOf(graph: GraphFacts): { name: string; clips: number[] }[] {
  const isPlayable = (c: number): boolean => graph.nodes[graph.clips[c].target].kind !== "end";
  const ways = new Set(graph.nodes.map((node) => `to ${node.name}`)); // transitions between hubs: the stick and the planner do that
  const named = graph.actions.filter(({ name }) => !ways.has(name));
  const actions = named.map(({ name, clips }) => ({ name, clips: clips.filter(isPlayable) }));
  const found = actions.filter((action) => action.clips.length > 0);
  if (found.length > 0) return found;
  const byLabel = new Map<string, number[]>();
  graph.clips.forEach((clip, c) => {
    for (const [label, share] of Object.entries(clip.labels)) {
      if (share > MOSTLY && isPlayable(c)) byLabel.set(label, [...(byLabel.get(label) ?? []), c]);
    }
  });
  return [...byLabel].map(([name, clips]) => ({ name, clips }));
}

function rank(name: string): number {
  const place = FAMILIAR.findIndex((familiar) => name.toLowerCase().includes(familiar));
  return place < 0 ? FAMILIAR.length : place;
}

/** Without labels: what leads to another hub, then one clip a button, if this is not a graph to walk about in. */
function unnamedGroups(graph: GraphFacts): { name: string; clips: number[] }[] {
  const between = graph.clips.flatMap((clip, c) => (isHub(graph, clip.source) && isHub(graph, clip.target) ? [c] : []));
  const staying = between.filter((c) => graph.clips[c].speed < 2 * RESTING);
  const crossing = new Map<number, number[]>();
  for (const c of between) {
    const { source, target } = graph.clips[c];
    if (source !== target) crossing.set(target, [...(crossing.get(target) ?? []), c]);
  }
  const ways = [...crossing].map(([node, clips]) => ({ name: `to ${graph.nodes[node].name}`, clips }));
  if (staying.length * 2 < between.length) return ways;
  const single = staying
    .filter((c) => graph.clips[c].source === graph.clips[c].target)
    .sort((a, b) => graph.clips[b].seconds - graph.clips[a].seconds) // longer clips do more
    .map((c) => ({ name: graph.clips[c].name, clips: [c] }));
  return [...ways, ...single.slice(0, -1)]; // something has to be left for idling
}

function isHub(graph: GraphFacts, node: number): boolean {
  return graph.nodes[node].kind === "hub";
}
