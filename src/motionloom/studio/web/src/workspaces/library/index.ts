import { icons } from "../../icons";
import type { Workspace } from "../workspace";
import Inspector from "./Inspector.svelte";

export const library: Workspace = {
  name: "library",
  title: "Library",
  about: "",
  icon: icons.library,
  Panel: null,
  Inspector,
  Overlay: null,
  cast: () => [{ motion: "take:walk/normal_1", hue: 0 }],
  timeline: () => null,
  scene: () => ({}),
};
