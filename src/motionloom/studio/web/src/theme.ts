/** Light or dark: what the person chose, else what the system prefers. */

import type { Preferences } from "./preferences";

const query = (): MediaQueryList | null =>
  typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;

export function likesDark(): boolean {
  return query()?.matches ?? false;
}

/** Listen to changes of the system's preference. */
export function onSystemTheme(onChange: (isDark: boolean) => void): () => void {
  const scheme = query();
  const listener = (): void => onChange(likesDark());
  scheme?.addEventListener("change", listener);
  return () => scheme?.removeEventListener("change", listener);
}

export function isDark(theme: Preferences["theme"], systemIsDark: boolean): boolean {
  return theme === "system" ? systemIsDark : theme === "dark";
}

/** Put the theme onto the page. */
export function applyTheme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
