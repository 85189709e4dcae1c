import { icons } from "../../icons";
import { actionColour } from "../../palette";
import { studio } from "../../state.svelte";
import type { Track } from "../../widgets/timeline/types";
import type { Workspace } from "../workspace";
import { drive } from "./drive.svelte";
import Inspector from "./Inspector.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import Setup from "./Setup.svelte";

const [LEAST_LENGTH, LENGTHS] = [20, 10]; // seconds: the timeline grows in such steps

/** What was played: the clips, each in the colour of its button. */
function tracks(): Track[] {
  const { graph, played, buttons } = drive;
  if (graph === null) return [];
  const stretches = played.map(({ clip, start }, n) => {
    const button = buttons.find((mapped) => mapped.clips.includes(clip));
    const { name, seconds, source, target } = graph.clips[clip];
    return {
      id: `${n}`,
      start,
      stop: played[n + 1]?.start ?? start + seconds,
      kind: "piece" as const,
      text: name,
      title: `${name}, ${graph.nodes[source].name} to ${graph.nodes[target].name}`,
      ...(button ? { colour: actionColour(button.name) } : {}),
    };
  });
  return [{ id: "played", name: "Played", colour: "var(--holds)", stretches, paintable: false, height: 34 }];
}

function length(): number {
  const last = drive.played.at(-1);
  const stop = last === undefined || drive.graph === null ? 0 : last.start + drive.graph.clips[last.clip].seconds;
  return Math.max(LEAST_LENGTH, Math.ceil(stop / LENGTHS) * LENGTHS);
}

export const control: Workspace = {
  name: "control",
  title: "Control",
  about: "Drive a character through a hub graph, live",
  icon: icons.control,
  Panel,
  Inspector,
  Overlay,
  Setup,
  cast: () => [],
  timeline() {
    return {
      length: drive.graph === null ? 0 : length(),
      fps: studio.fps,
      tracks: tracks(),
      chosen: null,
      tools: [],
      tool: "select",
      most: 158,
      empty: "The clips that you play appear here.",
    };
  },
  scene: () => ({
    path: drive.goal === null ? drive.path : [...drive.path],
    waypoints:
      drive.goal === null
        ? []
        : [{ id: "goal", x: drive.goal[0], z: drive.goal[1], heading: null, label: "go here", selected: true, met: null }],
    onwaypoint: (_id, x, z, _heading, phase) => {
      if (phase === "end") drive.goTo(x, z);
    },
    onground: (x, z) => drive.goTo(x, z),
  }),
  actions: {
    toStart: () => drive.reset(),
    resetDrive: () => drive.reset(),
    frameBack: () => undefined,
    frameForward: () => undefined,
    cancel: () => (drive.goal === null ? false : drive.stopGoing()),
  },
};
