/** Light or dark: what the person chose, else what the system likes. */

import type { Preferences } from "./preferences";

export function isDark(theme: Preferences["theme"]): boolean {
  if (theme !== "system") return theme === "dark";
  return typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Put the theme onto the page. */
export function applyTheme(theme: Preferences["theme"]): "light" | "dark" {
  const name = isDark(theme) ? "dark" : "light";
  document.documentElement.dataset.theme = name;
  return name;
}
