const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4))

/** Keeps the event loop from running, as a long computation does, and leaves the processor to others meanwhile. */
export function standStill(ms: number): void {
  const until = performance.now() + ms
  for (let left = ms; left > 0; left = until - performance.now()) Atomics.wait(NEVER_WOKEN, 0, 0, left)
}
