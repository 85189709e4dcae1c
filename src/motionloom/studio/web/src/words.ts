/** Numbers and times as people read them. */

/** Seconds as "12.5 s" or "3:07". */
export function clock(seconds: number): string {
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest} h` : `${minutes}:${rest} min`;
}

/** "1 take", "3 takes". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A share as "96 %". */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
