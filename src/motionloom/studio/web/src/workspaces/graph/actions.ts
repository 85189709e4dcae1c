/** What can be done in the graph workspace, as steps of the document and as things to play. */

import type * as T from "../../api/types";
import { addHub } from "../../commands/add_hub";
import { addMatchFrame } from "../../commands/add_match_frame";
import { dropHub } from "../../commands/drop_hub";
import { dropMatchFrame } from "../../commands/drop_match_frame";
import { freeColour, freeName, makeHub } from "../../commands/edit_graph";
import { renameHub } from "../../commands/rename_hub";
import { setHubThreshold, setHubThresholdChange } from "../../commands/set_hub_threshold";
import { setGraphThreshold, setGraphThresholdChange } from "../../commands/set_graph_threshold";
import { stage } from "../../stage.svelte";
import { notify, studio } from "../../state.svelte";
import { describeWalk, walkAlong } from "./clip_motion";
import { toTakeFrame } from "./frames";
import { graphState } from "./graph.svelte";
import { clipOf, fits, type Line, type Segment, type Tick } from "./schematic";

/** Add a suggestion as a hub. */
export async function acceptSuggestion(suggestion: T.SuggestedSet): Promise<void> {
  await growHub({ take: suggestion.take, frame: suggestion.frame }, suggestion.threshold);
}

/** Add a hub of all frames that are similar to one. */
export async function growHub(like: T.TakeFrame, threshold: number): Promise<void> {
  const name = freeName(studio.document.graph.request);
  await addHub({ hub: makeHub(name, { like, threshold }), colour: freeColour(studio.document.graph) });
  graphState.isChoosing = false;
  graphState.selectHub(name);
}

export async function removeHub(name: string): Promise<void> {
  if (graphState.hub === name) graphState.selectHub(null);
  await dropHub({ hub: name });
}

export async function changeHubName(name: string, wanted: string): Promise<void> {
  const to = wanted.trim().slice(0, 60);
  if (to === "" || to === name) return;
  if (graphState.hubs.some((hub) => hub.name === to)) {
    notify("warning", `There is a hub “${to}” already; choose another name`);
    return;
  }
  const wasSelected = graphState.hub === name;
  await renameHub({ hub: name, name: to });
  if (wasSelected) graphState.hub = to;
}

/** Add a frame to the selected hub, if there is room on its line. */
export async function addFrame(line: Line, frame: number): Promise<void> {
  const { material, hub } = graphState;
  const takeFrame = material && toTakeFrame(material, frame);
  if (!takeFrame) return;
  if (hub === null) {
    graphState.selectFrame(frame);
    return;
  }
  if (!fits(line, frame, graphState.spacing)) {
    notify("info", `Match frames are at least ${graphState.request.w_min.toFixed(2)} s apart, and as far from the ends of takes; lower w_min to put more of them here`);
    return;
  }
  await addMatchFrame({ hub, frame: takeFrame });
}

export async function dropFrame(tick: Tick): Promise<void> {
  const { material } = graphState;
  const takeFrame = material && toTakeFrame(material, tick.frame);
  if (takeFrame) await dropMatchFrame({ hub: graphState.hubs[tick.hub].name, frame: takeFrame });
}

/** Add a match frame that fixes a dead end. */
export async function mend(fix: T.FixFrame): Promise<void> {
  await addMatchFrame({ hub: fix.hub, frame: { take: fix.take, frame: fix.frame } });
}

/** While a threshold is dragged the document has a draft; the step is done when the drag ends. */
export function dragHubThreshold(hub: string, threshold: number, phase: "move" | "end"): void {
  const { material, seed } = graphState;
  const like = material !== null && seed !== null ? toTakeFrame(material, seed) : null;
  if (phase === "move") studio.draft = setHubThresholdChange(studio.document, { hub, threshold, like });
  else void setHubThreshold({ hub, threshold, like });
}

export function dragGraphThreshold(threshold: number, phase: "move" | "end"): void {
  if (phase === "move") studio.draft = setGraphThresholdChange(studio.document, { threshold });
  else void setGraphThreshold({ threshold });
}

/** Play what lies between two match frames: the clip, or the recording if the graph is not up to date. */
export function playSegment({ take }: Line, segment: Segment): void {
  const graph = studio.hubs?.graph;
  const clip = graph ? clipOf(graph.clips, take, segment) : null;
  if (clip !== null) playClips([clip]);
  else graphState.play({ kind: "take", take: take.name, start: segment.start - take.start, stop: segment.stop - take.start });
}

/** Play clips one after another, as a game would. */
export function playClips(clips: number[]): void {
  const graph = studio.hubs?.graph;
  if (!graph) return;
  const name = clips.map((clip) => graph.clips[clip].name).join(", then ");
  const walk = walkAlong(graph, clips);
  const id = `page:clips:${studio.hubs?.requestDigest}:${clips.join()}`;
  stage.make(describeWalk(graph, id, name, walk), { roots: walk.roots, rotations: walk.rotations }, walk.supports);
  graphState.play({ kind: "clips", id, clips, name, joins: walk.joins });
}

/** Add a hub of all frames that are similar to the one whose slice is shown. */
export async function growFromFrame(): Promise<void> {
  const { material, frame } = graphState;
  const like = material !== null && frame !== null ? toTakeFrame(material, frame) : null;
  if (like) await growHub(like, graphState.threshold);
}

/** Whether a key activates the focused element. */
export const isPress = (event: KeyboardEvent): boolean => event.key === "Enter" || event.key === " ";
