import { icons } from "../../icons";
import type { Workspace } from "../workspace";
import Inspector from "./Inspector.svelte";

export const timeline: Workspace = {
  name: "timeline",
  title: "Timeline",
  about: "",
  icon: icons.timeline,
  Panel: null,
  Inspector,
  Overlay: null,
  cast: () => [],
  timeline: () => null,
  scene: () => ({}),
};
