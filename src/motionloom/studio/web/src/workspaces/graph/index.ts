import { icons } from "../../icons";
import { studio } from "../../state.svelte";
import type { Workspace } from "../workspace";
import { removeHub } from "./actions";
import Below from "./Below.svelte";
import { graphState } from "./graph.svelte";
import Inspector from "./Inspector.svelte";
import Overlay from "./Overlay.svelte";
import { PAIR } from "./pairing";
import Panel from "./Panel.svelte";
import Setup from "./Setup.svelte";

export const graph: Workspace = {
  name: "graph",
  method: "snap",
  title: "Graph",
  about: "Cut takes into clips that join at hubs, to be played in any order",
  icon: icons.graph,
  Panel,
  Inspector,
  Overlay,
  Below,
  Setup,
  cast() {
    const { isPaired, playing, material } = graphState;
    if (isPaired) return PAIR.map((motion, hue) => ({ motion, hue, isBeside: hue > 0 }));
    if (playing?.kind === "clips") return [{ motion: playing.id, hue: 0 }];
    const take = playing?.take ?? material?.takes[0]?.name;
    return take === undefined || studio.leaving.has(take) ? [] : [{ motion: `take:${take}`, hue: 0 }];
  },
  timeline: () => null,
  scene: () => ({}),
  actions: {
    eraseStretch: () => {
      if (graphState.hub === null) return false;
      void removeHub(graphState.hub);
    },
    cancel: () => {
      if (studio.draft === null && graphState.hub === null && graphState.frame === null) return false;
      studio.draft = null;
      if (graphState.hub !== null) graphState.selectHub(null);
      else graphState.frame = null;
    },
  },
  onmessage: (message) => graphState.receive(message),
};
