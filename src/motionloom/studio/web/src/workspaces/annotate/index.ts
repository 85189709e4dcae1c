import { icons } from "../../icons";
import type { Workspace } from "../workspace";
import Inspector from "./Inspector.svelte";

export const annotate: Workspace = {
  name: "annotate",
  title: "Annotate",
  about: "",
  icon: icons.annotate,
  Panel: null,
  Inspector,
  Overlay: null,
  cast: () => [],
  timeline: () => null,
  scene: () => ({}),
};
