import type { Script } from '../../../src/command/operation/script.js'
import type { Reply } from '../../../src/connection/connection.js'
import type { GcraLimit } from '../../../src/index.js'
import { asArguments, limitsOf } from '../../../src/synchronizers/shared/limits.js'
import type { Decision } from '../../../src/synchronizers/gcra-rate-limiter/decision.js'
import * as scripts from '../../../src/synchronizers/gcra-rate-limiter/gcra-rate-limiter.scripts.js'
import type { ServerNode } from '../../support/launch/topology.js'

/** Shows a script the time that the test says, and has no key expire by the server's own. */
const CLOCK = `
  local server, seconds, micros = redis, table.remove(ARGV, 1), table.remove(ARGV, 1)
  local redis = setmetatable({
    call = function(command, ...)
      if command == 'time' then
        return { seconds, micros }
      elseif command == 'set' then
        local key, value = ...
        return server.call('set', key, value)
      end
      return server.call(command, ...)
    end,
  }, { __index = server })
`

type AnyScript = Script<string, string, unknown>

/** The scripts of a limiter for one key, by a clock that the test sets. */
export class Clocked {
  /** Microseconds. */
  now = 1_764_000_000_000_000
  readonly #node: ServerNode
  readonly #key: string
  readonly #limits: readonly number[]

  constructor(node: ServerNode, key: string, limits: readonly GcraLimit[]) {
    this.#node = node
    this.#key = key
    this.#limits = asArguments(limitsOf(limits))
  }

  /** @param kind - by the script for any number of limits, even for one */
  async consume(cost: number, kind: 'any' | 'fitting' = 'fitting'): Promise<Decision> {
    const isOne = this.#limits.length === 3 && kind === 'fitting'
    return await this.#decide(isOne ? scripts.consumeOne : scripts.consume, [cost])
  }

  /** @param mostUs - as long as it takes, if left out */
  async acquire(cost: number, mostUs = 1e15): Promise<Decision> {
    return await this.#decide(scripts.acquire, [cost, mostUs])
  }

  async refund(cost: number): Promise<Decision> {
    return await this.#decide(scripts.refund, [cost])
  }

  async peek(cost: number): Promise<Decision> {
    return await this.#decide(scripts.peek, [cost])
  }

  async giveBack(turn: number, cost: number): Promise<boolean> {
    return (await this.#run(scripts.giveBack, [turn, cost])) === 1
  }

  /** The state as it is in Redis. */
  state(): Promise<unknown> {
    return this.#node.command('GET', this.#key)
  }

  async forget(): Promise<void> {
    await this.#node.command('UNLINK', this.#key)
  }

  async #decide(script: Script<string, string, Decision>, args: readonly number[]): Promise<Decision> {
    return script.reply((await this.#run(script, args)) as Reply)
  }

  #run({ source }: AnyScript, args: readonly number[]): Promise<unknown> {
    const time = [Math.floor(this.now / 1_000_000), this.now % 1_000_000]
    return this.#node.command('EVAL', `${CLOCK}${source}`, 1, this.#key, ...time, ...args, ...this.#limits)
  }
}

/** A request that has passed: when, in microseconds, and at what cost. */
export interface Pass {
  readonly at: number
  readonly cost: number
}

/** The windows in which more has passed than a limit lets pass. */
export function excesses(passes: readonly Pass[], limits: readonly GcraLimit[]): readonly string[] {
  const sorted = passes.toSorted((one, other) => one.at - other.at)
  const found: string[] = []
  for (const { limit, perMs, burst = limit } of limits)
    for (const [first, from] of sorted.entries()) {
      let sum = 0
      for (const until of sorted.slice(first)) {
        sum += until.cost
        const most = burst + Math.ceil(((until.at - from.at) * limit) / (perMs * 1000))
        if (sum > most) found.push(`${sum} of ${most} in ${until.at - from.at} µs`)
      }
    }
  return found
}
