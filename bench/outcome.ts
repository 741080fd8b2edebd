/** Numbers by name. */
export type Figures = Readonly<Record<string, number>>

/** The result of one contender at one workload, once. */
export interface Outcome {
  readonly figures: Figures
  /** Sections that two did at the same time, and that are missing in the count; or permits too many; or calls that went wrong. */
  readonly lost: number
  /** Every single wait, in milliseconds, to be drawn. */
  readonly waitsMs: readonly number[]
}

/** The result of one contender in one round; or why there is none. */
export type Result = Outcome | { readonly failure: string }
