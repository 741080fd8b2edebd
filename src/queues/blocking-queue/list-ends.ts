import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import * as ends from '../queue/queue.commands.js'
import { poll as pollSome } from '../queue/queue.scripts.js'
import * as scripts from './blocking-queue.scripts.js'
import type { End, Ends, Moved, Pop, Popped } from './ends.js'

/** The ends of lists that any client may change at any time. Elements are put back where they were removed. */
export class ListEnds implements Ends {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  async pop({ end, count, keys }: Pop, options?: RunOptions): Promise<Popped | undefined> {
    const [key] = keys as readonly [string]
    const requests = this.#requests.at(key)
    const pop = end === 'first' ? 'lpop' : 'rpop'
    if (keys.length > 1) {
      const call = { keys: { queues: keys }, args: { pop, count } }
      const found = await requests.run(scripts.pollFromAny, call, options)
      return found && { place: found[0], values: found[1] }
    }
    const values =
      count === 1
        ? [await requests.ask(end === 'first' ? ends.poll : ends.pollLast, {}, {}, options)]
        : await requests.ask(pollSome, { pop, count }, {}, options)
    return values[0] === undefined ? undefined : { place: 0, values: values as Buffer[] }
  }

  async putBack(
    { key, end }: { readonly key: string; readonly end: End },
    values: readonly Buffer[],
    options: RunOptions,
  ): Promise<void> {
    await this.#requests.at(key).ask(scripts.putBack, { push: pushAt(end), values }, {}, options)
  }

  async moveBack(
    { target, end, targetEnd }: Moved,
    values: readonly Buffer[],
    options: RunOptions,
  ): Promise<void> {
    const args = { push: pushAt(end), from: targetEnd === 'first' ? 1 : -1, values }
    await this.#requests.ask(scripts.moveBack, args, { target }, options)
  }
}

function pushAt(end: End): 'lpush' | 'rpush' {
  return end === 'first' ? 'lpush' : 'rpush'
}
