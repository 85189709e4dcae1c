/** Light or dark: what the person chose, else what the system likes. */

import type { Preferences } from "./preferences";

const query = (): MediaQueryList | null =>
  typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;

export function likesDark(): boolean {
  return query()?.matches ?? false;
}

/** Hear when the system changes its mind. */
export function onSystemTheme(told: (isDark: boolean) => void): () => void {
  const scheme = query();
  const tell = (): void => told(likesDark());
  scheme?.addEventListener("change", tell);
  return () => scheme?.removeEventListener("change", tell);
}

export function isDark(theme: Preferences["theme"], systemIsDark: boolean): boolean {
  return theme === "system" ? systemIsDark : theme === "dark";
}

/** Put the theme onto the page. */
export function applyTheme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
