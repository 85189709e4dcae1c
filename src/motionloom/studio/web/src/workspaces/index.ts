/** The workspaces, in the order of the rail. A new one is a folder and a line here; those of methods are generated. */

import type { Workspace } from "./workspace";
import { annotate } from "./annotate";
import { buildup } from "./buildup";
import { control } from "./control";
import { direct } from "./direct";
import { generatedWorkspaces } from "./generated";
import { graph } from "./graph";
import { library } from "./library";
import { timeline } from "./timeline";

const OWN: readonly Workspace[] = [library, annotate, timeline, graph, buildup, direct, control];
const SERVED = new Set(OWN.flatMap((workspace) => workspace.method ?? [])); // methods with a workspace of their own

/** All workspaces, also those of methods that the page knows nothing about. */
export function allWorkspaces(): Workspace[] {
  return [...OWN, ...generatedWorkspaces(SERVED)];
}

export function workspaceOf(name: string): Workspace {
  return allWorkspaces().find((workspace) => workspace.name === name) ?? library;
}
