// Ten pictures per second, without smooth edges. Software hardly draws more, and while it tries to, the page and the server wait for the machine.
{
  const PAUSE = 100; // milliseconds from one picture to the next
  const request = window.requestAnimationFrame.bind(window);
  const waiting = new Map(); // the timers of what is to be drawn, by its number
  let [last, number] = [0, 0];

  window.requestAnimationFrame = (draw) => {
    const mine = ++number;
    const run = (time) => {
      if (!waiting.delete(mine)) return; // cancelled
      last = performance.now();
      draw(time);
    };
    waiting.set(mine, setTimeout(() => request(run), Math.max(0, last + PAUSE - performance.now())));
    return mine;
  };

  window.cancelAnimationFrame = (which) => {
    clearTimeout(waiting.get(which));
    waiting.delete(which);
  };

  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return getContext.call(this, kind, kind.startsWith("webgl") ? { ...options, antialias: false } : options);
  };
}
