import type { CommandExecutor, RunOptions } from '../../command/command-executor.js'

/** What the parts of one object send their requests by. */
export interface ObjectAccess {
  readonly executor: CommandExecutor
  /** The key of the object. */
  readonly key: string
  /** How requests are sent that change something. */
  readonly run: RunOptions
}
