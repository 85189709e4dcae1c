/** Effects of every workspace of a method while a corpus is open; to be called in the script of a component. */

import { untrack } from "svelte";
import { stage } from "../../stage.svelte";
import { studio } from "../../state.svelte";
import type { MethodSearch } from "./search.svelte";
import { takeLines } from "./take_list.svelte";

/** Play the first motion, list the takes, and forget what was found when it belongs to another corpus or document. */
export function runSearchEffects(search: MethodSearch, isHere: () => boolean, forgotten: () => void = () => {}): void {
  $effect(() => {
    const isThere = search.answer !== null && studio.cast[0]?.motion === search.answer.id && studio.length > 0;
    if (!isHere() || !search.wantsPlay || !isThere) return;
    search.wantsPlay = false;
    untrack(() => stage.player.play());
  });

  $effect(() => {
    const { connection } = studio;
    untrack(() => (connection === "lost" ? search.loseServer() : connection === "open" && search.findServer()));
  });

  $effect(() => {
    if (!isHere()) return;
    void studio.revisions.takes;
    untrack(() => void takeLines.ask());
  });

  let opened = "";
  $effect(() => {
    const now = `${studio.session?.corpus?.name}/${studio.documentName}`;
    untrack(() => {
      if (opened !== "" && opened !== now) {
        search.forget();
        forgotten();
      }
      opened = now;
    });
  });
}
