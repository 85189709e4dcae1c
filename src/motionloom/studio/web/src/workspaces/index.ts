/** The workspaces, in the order of the rail. A new one is a folder and a line here; those of methods come by themselves. */

import type { Workspace } from "./workspace";
import { annotate } from "./annotate";
import { control } from "./control";
import { generatedWorkspaces } from "./generated";
import { graph } from "./graph";
import { library } from "./library";
import { timeline } from "./timeline";

const OWN: readonly Workspace[] = [library, annotate, timeline, graph, control];
const SERVED = new Set(OWN.flatMap((one) => one.method ?? [])); // methods with a workspace of their own

/** All workspaces, also those of methods that the page knows nothing about. */
export function allWorkspaces(): Workspace[] {
  return [...OWN, ...generatedWorkspaces(SERVED)];
}

export function workspaceOf(name: string): Workspace {
  return allWorkspaces().find((one) => one.name === name) ?? library;
}
