/** Preferences of one person: panel sizes, theme, what the view shows. Stored by the browser, not with the document. */

export interface Preferences {
  theme: "light" | "dark" | "system";
  panelWidth: number; // pixels
  inspectorWidth: number;
  timelineHeight: number;
  isPanelOpen: boolean;
  isInspectorOpen: boolean;
  isTimelineOpen: boolean;
  style: "body" | "stick";
  grid: boolean;
  shadows: boolean;
  follow: boolean;
  footprints: boolean;
  ghosts: number; // onion skins on each side; 0 for none
  ghostSeconds: number; // between two of them
  snapping: boolean;
}

export const DEFAULTS: Preferences = {
  theme: "system",
  panelWidth: 300,
  inspectorWidth: 300,
  timelineHeight: 260,
  isPanelOpen: true,
  isInspectorOpen: true,
  isTimelineOpen: true,
  style: "body",
  grid: true,
  shadows: true,
  follow: true,
  footprints: true,
  ghosts: 0,
  ghostSeconds: 0.25,
  snapping: true,
};

const KEY = "motionloom.preferences";

export function loadPreferences(): Preferences {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, unknown>;
    const known = Object.entries(kept).filter(
      ([name, value]) => name in DEFAULTS && typeof value === typeof DEFAULTS[name as keyof Preferences],
    );
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS };
  }
}

export function savePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // the studio also works in browsers without storage
  }
}
