import type { PollOptions } from '../../collections/shared/polling.api.js'
import { pollPatience } from '../../collections/shared/polling.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { isPlain } from '../../util/is-plain.js'

/** Divides the options of a call into how long it waits, undefined where it does not, and the others. */
export function patienceAside<T>(options: T): { readonly patience: Patience | undefined; readonly rest: T } {
  if (!isPlain(options)) return { patience: undefined, rest: options }
  const { waitMs, signal, ...rest } = options as PollOptions
  const waiting = { ...(waitMs !== undefined && { waitMs }), ...(signal !== undefined && { signal }) }
  return { patience: pollPatience(waiting), rest: rest as T }
}
