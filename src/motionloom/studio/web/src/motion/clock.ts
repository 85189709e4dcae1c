/** Where time comes from: the screen's frames, or a test. */

export interface Clock {
  now(): number; // milliseconds
  request(callback: (stamp: number) => void): number;
  cancel(request: number): void;
}

export const screenClock: Clock = {
  now: () => performance.now(),
  request: (callback) => requestAnimationFrame(callback),
  cancel: (request) => cancelAnimationFrame(request),
};
