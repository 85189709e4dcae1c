/** The way of a step whose end hits something: the method chooses it for that, and those after it go on from its end. */

import * as api from "../../api/client";
import type * as T from "../../api/types";
import type { Ways } from "../../commands/edit_buildup";
import { notify, studio } from "../../state.svelte";
import { buildupState } from "./buildup.svelte";

/** The best ways for a hit at the end of a step. Where none can be chosen, what was accepted stays, and the page says so. */
export async function chooseWays(changed: T.Document, character: number, hit: T.Hit): Promise<Ways | null> {
  if (hit.step === null || hit.step === undefined) return null;
  const [step, before] = [hit.step - 1, studio.document];
  buildupState.isChoosing = true;
  try {
    const { clips } = await api.chooseWays({ request: changed.buildup.request, character, step });
    if (studio.document !== before) return null; // it was changed meanwhile: these are the ways of something else
    return { step, clips };
  } catch (error) {
    notify("warning", `The way of step ${hit.step} stays as it was: ${(error as Error).message}`);
    return null;
  } finally {
    buildupState.isChoosing = false;
  }
}

/** What the report says about a hit that is missed; "" where it is met, and null while that is not known yet. */
export function missText(hit: T.Hit): string | null {
  const { search, built, request } = buildupState;
  if (search.answer === null || search.answered !== JSON.stringify(request)) return null;
  const name = `${built.name ? `${built.name}: ` : ""}hit ${built.hits.indexOf(hit) + 1}, `;
  const part = search.answer.parts.find((each) => each.name.startsWith(name));
  if (part === undefined) return null;
  if (part.met) return "";
  return part.unit === "m" ? `Missed by ${part.value < 0.1 ? `${(1000 * part.value).toFixed(0)} mm` : `${part.value.toFixed(2)} m`}: ${part.why_not}` : part.why_not;
}
