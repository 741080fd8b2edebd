import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument, Key } from '../../connection/connection.js'

/** A call of any operation, as it is given. */
export interface AnyCall {
  readonly keys: Readonly<Record<string, Key | readonly Key[]>>
  readonly args: Readonly<Record<string, Argument | readonly Argument[]>>
}

/** Does in its own way what an operation does. */
export type Handler = (call: AnyCall, options: RunOptions) => Promise<unknown>

/** What is done in the place of some operations. */
export type Handlers = readonly (readonly [operation: unknown, handler: Handler])[]
