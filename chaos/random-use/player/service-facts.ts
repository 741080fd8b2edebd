import type { Recorder } from '../../client/recorder.js'
import type { Resource } from '../objects.js'
import type { Claim, Watch } from './claims.js'
import type { Clients } from './entrances.js'
import type { Visit } from './visit.js'

/** What those work with who are run by a service of the library, and do steps inside. */
export interface ServiceFacts extends Clients {
  readonly recorder: Recorder
  readonly watch: Watch
  readonly watchdogMs: number
  /** A number that no other owner of this client has in the history. */
  readonly newOwner: () => number
  /** Begins to ask for something, as an owner of its own. */
  visit(...resources: readonly Resource[]): Visit
  /** Does the steps, with what is claimed besides. */
  inside(own: readonly Claim[]): Promise<void>
}

/** What a function throws whose program says so. */
export class Failed extends Error {
  override readonly name = 'Failed'
}
