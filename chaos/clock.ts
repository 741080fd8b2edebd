/** Returns how many milliseconds have passed since a run began. */
export interface Stopwatch {
  now(): number
}

/** Milliseconds since the run began, on the machine's monotonic clock, which is the same in all processes. */
export class RunClock implements Stopwatch {
  readonly #origin: bigint

  /** @param origin - what the clock of the machine said when the run began */
  constructor(origin: bigint) {
    this.#origin = origin
  }

  static start(): RunClock {
    return new RunClock(process.hrtime.bigint())
  }

  /** For other processes; a text, because JSON has no numbers of this size. */
  get origin(): string {
    return String(this.#origin)
  }

  now(): number {
    return Number(process.hrtime.bigint() - this.#origin) / 1e6
  }
}
