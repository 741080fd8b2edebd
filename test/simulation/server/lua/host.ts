import type { Bytes, Reply } from '../reply.js'
import type { RandomNumbers } from './run/random-numbers.js'

/** The server, as a script sees it. */
export interface LuaHost {
  /** What `math.random` draws from. All scripts and functions of a server share it. */
  readonly random: RandomNumbers
  /** Runs one command. A refusal is returned, and not thrown. */
  call(args: readonly Bytes[]): Reply
}
