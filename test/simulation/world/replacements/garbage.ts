import { activeSimulation } from '../simulation.js'
import { replaceBy, type Replacement } from './replacement.js'

const RealRegistry = globalThis.FinalizationRegistry

/** Replaces `FinalizationRegistry`: when memory is collected is no matter of a seed. */
export function garbageReplacements(): readonly Replacement[] {
  const create = (target: typeof RealRegistry, [callback]: [(held: unknown) => void]): object =>
    activeSimulation() === undefined ? new target(callback) : new SilentRegistry()
  return [replaceBy(globalThis, 'FinalizationRegistry', new Proxy(RealRegistry, { construct: create }))]
}

/** A registry whose objects are never collected. */
class SilentRegistry {
  register(): void {
    // Nothing is called back.
  }

  unregister(): boolean {
    return false
  }
}
