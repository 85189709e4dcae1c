/** The state of a workspace that is generated from the description of a method. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { settled } from "../../commands/command";
import { isSame } from "../../commands/patch";
import { setRequestValue } from "../../commands/set_request_value";
import { studio } from "../../state.svelte";
import { MethodSearch } from "../method/search.svelte";
import { type Path, type Problem, problemOf } from "./request_paths";
import { readForm } from "../method/schema_fields";

const PAUSE = 250; // milliseconds after a change until the server validates the request

export class GeneratedState {
  readonly name: string; // of the workspace
  readonly form;
  readonly search: MethodSearch;
  selected = $state<string | null>(null); // id of a piece
  refusal = $state(""); // why the request cannot be searched

  /** The current request. */
  readonly request: Record<string, unknown> = $derived.by(() => studio.shown.methods[this.description.name]?.request ?? this.description.example);
  readonly problem: Problem | null = $derived(this.refusal === "" ? null : problemOf(this.refusal));
  /** Whether what plays answers another request than the one that is shown. */
  readonly isOld: boolean = $derived.by(() => this.search.found !== null && this.search.answered !== JSON.stringify(this.request));
  readonly isNew: boolean = $derived.by(() => isSame(this.request, this.description.example));

  private checks = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly description: T.MethodDescription) {
    this.name = `method:${description.name}`;
    this.form = readForm(description.request_schema);
    this.search = new MethodSearch(description.name);
  }

  set(path: Path, value: unknown, what: string): void {
    const { name: method, example } = this.description;
    const from = method in studio.document.methods ? undefined : example;
    void setRequestValue({ method, path, value, what, ...(from === undefined ? {} : { from }) });
  }

  /** Search the request, with what was typed last. */
  async ask(): Promise<void> {
    await settled();
    this.search.ask(this.request);
  }

  /** Let the server validate the request before it is searched. */
  check(request: Record<string, unknown>): void {
    const number = ++this.checks;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      api.requestText(this.description.name, { request }).then(
        () => number === this.checks && (this.refusal = ""),
        (error: Error) => number === this.checks && (this.refusal = error.message),
      );
    }, PAUSE);
  }

  forget(): void {
    this.selected = null;
    this.refusal = "";
  }
}
