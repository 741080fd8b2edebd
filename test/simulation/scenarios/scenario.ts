import type { Trace } from '../world/trace.js'
import { createWorld } from '../world/world.js'
import { Stage, type StageOptions } from './stage.js'

/** A promise of the library, and the decisions that broke it once. */
export interface Scenario {
  /** What it is called on the command line. */
  readonly name: string
  /** What the library promises. */
  readonly promise: string
  /** Why the library does not keep it yet. */
  readonly knownToFail?: string
  /** Makes the decisions. Throws when the promise is broken. */
  readonly run: (stage: Stage) => Promise<void>
}

/** What came of a scenario. */
export interface Outcome {
  /** What broke the promise. */
  readonly broken?: Error
  readonly virtualMs: number
  readonly trace: Trace
}

/** Plays a scenario. `install()` has been called before. */
export async function play({ name, run }: Scenario, options: StageOptions): Promise<Outcome> {
  using world = createWorld(name)
  const stage = new Stage(world, options)
  const broken = await world.until(stage.start(() => run(stage))).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  return { ...(broken && { broken }), virtualMs: world.clock.now, trace: world.trace }
}
