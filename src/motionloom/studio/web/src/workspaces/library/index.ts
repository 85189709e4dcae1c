import { icons } from "../../icons";
import type { Workspace } from "../workspace";
import { remove } from "./actions";
import Inspector from "./Inspector.svelte";
import { library as libraryState } from "./library.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import { move } from "./selecting";
import Setup from "./Setup.svelte";

const next = (by: number) => (): void =>
  libraryState.select(move(libraryState.selection, libraryState.order, by, { ctrl: false, shift: false }), true);

export const library: Workspace = {
  name: "library",
  title: "Library",
  about: "Import takes, look at them, clean them, cut them, export them",
  icon: icons.library,
  Panel,
  Inspector,
  Overlay,
  Setup,
  cast() {
    const { current, compared } = libraryState;
    if (current === null) return [];
    const main = { motion: `take:${current.name}`, hue: 0 };
    return compared === null ? [main] : [main, { motion: `take:${compared}`, hue: 1, isBeside: true }];
  },
  timeline() {
    const { current } = libraryState;
    if (current === null) return null;
    return {
      length: current.seconds,
      fps: current.fps,
      tracks: libraryState.tracks,
      chosen: null,
      tools: [],
      tool: "select",
      empty: libraryState.curvesProblem || (current.kind === "points" ? "Markers have no feet and no facing, so there are no curves." : ""),
    };
  },
  scene: () => ({}),
  actions: {
    trackUp: next(-1),
    trackDown: next(1),
    eraseStretch: () => void remove(libraryState.selected),
  },
  onmessage(message) {
    if (message.type === "job" && message.job.kind === "measure") void libraryState.askBadges();
  },
};
