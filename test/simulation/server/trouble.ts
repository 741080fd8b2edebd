import type { Command } from './commands/command.js'
import type { Bytes } from './reply.js'

/**
 * What keeps a server from its work: no memory is left, it is a replica, it reads its data, it cannot write them to its disk, or it runs a
 * long script.
 */
export type Trouble = 'oom' | 'readonly' | 'loading' | 'misconf' | 'busy'

/** Commands of a server that still reads its data. */
const WHILE_LOADING =
  /^(auth|hello|select|client|config|info|role|script|publish|spublish|pubsub|[ps]?(un)?subscribe|multi|exec|discard|quit)$/

/** Commands of a server that runs a long script. */
const WHILE_BUSY = /^(auth|hello|multi|discard|quit)$/

export const BUSY = 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.'

const TEXTS: Readonly<Record<Trouble, Bytes>> = {
  oom: "OOM command not allowed when used memory > 'maxmemory'.",
  readonly: "READONLY You can't write against a read only replica.",
  busy: BUSY,
  loading: 'LOADING Redis is loading the dataset in memory',
  misconf:
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. Commands that may modify the data set are disabled, because this instance is configured to report errors during writes if RDB snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis logs for details about the RDB error.",
}

/** Why a server in trouble does not run a command, if it does not. */
export function refusalOf(trouble: Trouble, { name, effect }: Command): Bytes | undefined {
  return isRefused(trouble, name, effect) ? TEXTS[trouble] : undefined
}

function isRefused(trouble: Trouble, name: Bytes, effect: Command['effect']): boolean {
  if (trouble === 'loading') return !WHILE_LOADING.test(name)
  if (trouble === 'busy') return !WHILE_BUSY.test(name)
  if (trouble === 'oom') return effect === 'grow'
  return effect === 'grow' || effect === 'write'
}
