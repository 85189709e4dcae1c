/** The workspaces, in the order of the rail. A new one is a folder and a line here. */

import type { Workspace } from "./workspace";
import { annotate } from "./annotate";
import { control } from "./control";
import { graph } from "./graph";
import { library } from "./library";
import { timeline } from "./timeline";

export const workspaces: Workspace[] = [library, annotate, timeline, graph, control];

export function workspaceOf(name: string): Workspace {
  return workspaces.find((one) => one.name === name) ?? library;
}
