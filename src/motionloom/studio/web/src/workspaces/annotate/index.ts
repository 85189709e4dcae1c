import { icons } from "../../icons";
import { studio } from "../../state.svelte";
import type { TimelineContent, Workspace } from "../workspace";
import { actions, moved, painted, selected } from "./actions";
import Inspector from "./Inspector.svelte";
import { annotationState } from "./annotation_state.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import Setup from "./Setup.svelte";

export const annotate: Workspace = {
  name: "annotate",
  title: "Annotate",
  about: "Label a take, accept or correct what is proposed for the others",
  icon: icons.annotate,
  Panel,
  Inspector,
  Overlay,
  Setup,
  cast: () => (annotationState.take === null ? [] : [{ motion: `take:${annotationState.take}`, hue: 0 }]),
  timeline: content,
  scene: () => ({}),
  actions,
};

function content(): TimelineContent {
  return {
    length: studio.length,
    fps: studio.fps,
    tracks: annotationState.rows,
    chosen: annotationState.chosen ?? annotationState.vocabulary[0] ?? null,
    tools: annotationState.vocabulary.length > 0 && studio.canWrite ? ["must", "erase", "select"] : [],
    toolWords: { must: "Holds", erase: "Does not hold" },
    tool: annotationState.tool,
    ontool: (tool) => (annotationState.tool = tool),
    onpaint: painted,
    onedge: moved,
    onselect: selected,
    ontrack: (track) => (annotationState.chosen = track),
    empty: annotationState.vocabulary.length === 0 ? "Choose labels first; each of them gets a track here." : "",
  };
}
