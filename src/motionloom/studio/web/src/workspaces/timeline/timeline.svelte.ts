/** The state of the timeline workspace: the search, the selection, what can be painted. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import { labelColour, nameColour } from "../../palette";
import { studio } from "../../state.svelte";
import type { Tool } from "../../widgets/timeline/types";
import { MethodSearch } from "../method/search.svelte";
import { type TakeLine, takeLines } from "../method/take_list.svelte";
import { detailsOf } from "./details";
import { makeTracks } from "./tracks";

/** Contacts of feet: computed for every frame, not annotated by people. */
export const isContact = (paintable: T.PaintableLabel): boolean => paintable.label.startsWith("contacts.");

class TimelineState {
  readonly search = new MethodSearch("timeline");

  tool = $state<Tool>("must");
  track = $state<string | null>(null);
  selected = $state<string | null>(null); // id of a stretch, clip, place or piece

  labels = $state.raw<T.PaintableLabel[] | null>(null); // null: not known yet
  labelsProblem = $state("");

  readonly part = $derived(studio.shown.timeline);
  readonly request = $derived(studio.shown.timeline.request);
  readonly details = $derived(this.search.answer === null ? null : detailsOf(this.search.answer));

  readonly colourOf = labelColour;
  readonly tracks = $derived(
    makeTracks(this.part, this.search.answer, this.selected, {
      colourOf: this.colourOf,
      takeColour: nameColour,
      rateOf: this.rateOf,
      secondsOf: (label) => this.labels?.find((paintable) => paintable.label === label)?.seconds ?? null,
    }),
  );

  get takes(): TakeLine[] {
    return takeLines.all;
  }

  /** Frames per second of a take; its name may be any end of the whole one. */
  get rateOf(): (take: string) => number {
    return (take) => this.takeCalled(take)?.fps ?? studio.shown.timeline.request.fps;
  }

  takeCalled(name: string): TakeLine | null {
    return this.takes.find((take) => take.name === name) ?? this.takes.find((take) => take.name.endsWith(name)) ?? null;
  }

  get rates(): Record<string, number> {
    const { request, beyond } = this.part;
    return Object.fromEntries([...request.frames, ...beyond.frames].map((forced) => [forced.take, this.rateOf(forced.take)]));
  }

  async askLabels(takes: string[] | null): Promise<void> {
    try {
      this.labels = await api.paintableLabels({ takes });
      this.labelsProblem = "";
    } catch (error) {
      this.labelsProblem = (error as Error).message;
      this.labels ??= [];
    }
  }
}

export const timelineState = new TimelineState();
