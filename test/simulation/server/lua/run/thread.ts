import type { LuaHost } from '../host.js'
import type { RandomNumbers } from './random-numbers.js'

/** A place in a script from which something is called. */
export interface Site {
  /** What errors name as the script. */
  readonly source: string
  readonly line: number
  /** What the function is called there, if it has a name. */
  readonly name?: string | undefined
  /** Whether it is called as a method, so that its first argument is what stands before the colon. */
  readonly isMethod?: boolean
  /** Whether the call is the last thing that a function does, so that it is no longer running. */
  readonly isTailCall?: boolean
}

/** Where functions of the library call others. Errors have no line there. */
export const NATIVE: Site = { source: '=[C]', line: -1 }

/** Who calls: a running function of a script, or one of the library. */
export interface Caller {
  readonly thread: Thread
  /** Where it was called itself, unless that is unknown. */
  readonly calledAt?: Site
}

/** One run of a script. */
export class Thread {
  readonly host: LuaHost
  /** What functions of the library call in the name of. */
  readonly native: Caller = { thread: this }
  /** Who has made the latest call, and where. Each call notes it; a function that calls another one notes it again after that. */
  caller: Caller = this.native
  site: Site = NATIVE
  /** How many functions of scripts are running within each other. */
  depth = 0
  /** How many calls are within each other that are calls of C in Lua. The script itself is one. */
  depthInC = 1

  constructor(host: LuaHost) {
    this.host = host
  }

  get random(): RandomNumbers {
    return this.host.random
  }
}
