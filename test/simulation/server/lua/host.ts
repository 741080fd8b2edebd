import type { Bytes, Reply } from '../reply.js'

/** The server, as scripts see it. It is one object for all its scripts: those draw their random numbers one after another. */
export interface LuaHost {
  /** Runs one command. A refusal is returned, and not thrown. */
  call(args: readonly Bytes[]): Reply
}
