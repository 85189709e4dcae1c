/** Effects that name what they follow. */

import { untrack } from "svelte";

/**
 * Act, and again whenever something changes that `read` reads. What is looked at in acting, here or by whoever listens to
 * what is done, is no reason to act again: it may belong to a part of the page that goes.
 */
export function whenever<T>(read: () => T, act: (value: T) => void): void {
  $effect(() => {
    const value = read();
    untrack(() => act(value));
  });
}
