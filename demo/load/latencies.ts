/** How long each of many requests took. */
export class Latencies {
  readonly #times: Float64Array
  #count = 0

  constructor(most: number) {
    this.#times = new Float64Array(most)
  }

  get count(): number {
    return this.#count
  }

  add(tookMs: number): void {
    this.#times[this.#count++] = tookMs
  }

  /** Average and percentiles, in milliseconds. */
  summary(): LatencySummary {
    const sorted = this.#times.slice(0, this.#count).sort()
    const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
    const sum = sorted.reduce((total, time) => total + time, 0)
    return { average: sum / sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
  }
}

export interface LatencySummary {
  readonly average: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}
