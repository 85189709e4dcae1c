/** Workspaces for methods that have none of their own: everything in them is generated from the method's description. */

import type { Component } from "svelte";
import type * as T from "../../api/types";
import { icons } from "../../icons";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import type { Workspace } from "../workspace";
import { GeneratedState } from "./generated.svelte";
import Inspector from "./Inspector.svelte";
import Overlay from "./Overlay.svelte";
import Panel from "./Panel.svelte";
import Setup from "./Setup.svelte";
import { makeTracks, startOf } from "./tracks";

const made = new Map<string, { description: T.MethodDescription; workspace: Workspace }>();

/** The workspaces of methods that no other workspace is for. */
export function generatedWorkspaces(taken: ReadonlySet<string>): Workspace[] {
  return studio.methods.filter((method) => !taken.has(method.name)).map(workspaceFor);
}

/** The workspace of a method; the same one as before, with what was found in it, while the method is the same. */
function workspaceFor(description: T.MethodDescription): Workspace {
  const before = made.get(description.name);
  if (before !== undefined && JSON.stringify(before.description) === JSON.stringify(description)) return before.workspace;
  const workspace = makeWorkspace(new GeneratedState(description));
  made.set(description.name, { description, workspace });
  return workspace;
}

/** A component that always gets this state. */
function withState(Inner: Component<{ state: GeneratedState }>, state: GeneratedState): Component {
  return (internals, props) => Inner(internals, { ...props, state });
}

function makeWorkspace(state: GeneratedState): Workspace {
  const { search, description } = state;
  return {
    name: state.name,
    method: description.name,
    title: description.title,
    about: description.summary,
    icon: icons.method,
    Panel: withState(Panel, state),
    Inspector: withState(Inspector, state),
    Overlay: withState(Overlay, state),
    Setup: withState(Setup, state),
    cast: () => search.cast,
    timeline: () => ({
      length: search.answer === null ? 0 : search.answer.frames / search.answer.fps,
      fps: search.answer?.fps ?? studio.fps,
      tracks: search.answer === null ? [] : makeTracks(search.answer, state.selected),
      chosen: null,
      tools: [],
      tool: "select",
      onselect: (_track, piece) => {
        state.selected = piece;
        const start = startOf(search.answer, piece);
        if (start !== null) stage.seek(start);
      },
      empty: "Press Search; the pieces of the motion appear here.",
    }),
    scene: () => ({}),
    onmessage: (message) => search.receive(message),
  };
}
