import type { GcraLimit } from '../../../src/index.js'
import type { Script } from '../../../src/command/operation/script.js'
import { asArguments, limitsOf } from '../../../src/synchronizers/shared/limits.js'
import * as scripts from '../../../src/synchronizers/work-limiter/work-limiter.scripts.js'
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
      elseif command == 'pexpire' or command == 'pttl' then
        return -1
      end
      return server.call(command, ...)
    end,
  }, { __index = server })
`

/** Publishes into a list, which the test reads. */
const PUBLISH = 'rpush'

const LEASE_MS = 30_000

/** The keys of most scripts, by what their names say of them. */
const KINDS = ['', 'rate', 'waiting', 'ends', 'calls'] as const

/** A request for functions of one queue. */
export interface Asked {
  readonly id: string
  readonly waiter: string
  readonly weights: readonly number[]
  readonly priority?: number
  /** Whether those who get nothing wait on. */
  readonly enters?: boolean
  /** For how long ahead cells are reserved. */
  readonly aheadMs?: number
  /** Whether it is another copy of a request. */
  readonly isCopy?: boolean
}

/** What a request gets. */
export interface Reply {
  readonly granted: number
  /** In how many milliseconds each function begins. */
  readonly begins: readonly number[]
  readonly retryMs: number
  readonly byRate: boolean
}

/** The scripts of one limiter, by a clock that the test sets. */
export class Clocked {
  /** Microseconds. */
  now = 1_764_000_000_000_000
  readonly #node: ServerNode
  readonly #name: string
  readonly #concurrency: number
  readonly #limits: string

  constructor(node: ServerNode, name: string, concurrency: number, limits: readonly GcraLimit[] = []) {
    this.#node = node
    this.#name = name
    this.#concurrency = concurrency
    this.#limits = limits.length === 0 ? '' : asArguments(limitsOf(limits)).join(' ')
  }

  async ask(asked: Asked): Promise<Reply> {
    const { id, waiter, weights, priority = 0, enters = true, aheadMs = 0, isCopy = false } = asked
    const [retryMs = 0, byRate = 0, ...begins] = await this.#run(scripts.ask, id, [
      id,
      waiter,
      weights.join(' '),
      priority,
      enters ? 1 : 0,
      LEASE_MS,
      aheadMs,
      this.#concurrency,
      this.#limits,
      PUBLISH,
      isCopy ? 60_000 : 0,
    ])
    return { granted: begins.length, begins, retryMs, byRate: byRate === 1 }
  }

  /** @param undo - whether no copy of the request may take anything from now on */
  async giveBack(
    id: string,
    first: number,
    count: number,
    { refund = false, undo = false, waiter = '' } = {},
  ) {
    const keys = [...KINDS, 'resets'].map((kind) => this.#key(kind))
    const [freed = 0, isNext = 0] = await this.#eval(
      scripts.giveBack,
      [...keys, this.#requestKey(id)],
      [id, first, count, waiter, refund ? 1 : 0, LEASE_MS, this.#limits, undo ? 60_000 : 0, PUBLISH],
    )
    return { freed, isNext: isNext === 1 }
  }

  async leave(waiter: string): Promise<void> {
    const keys = [this.#key('waiting'), this.#key('ends'), this.#key('calls')]
    await this.#eval(scripts.leave, keys, [waiter, PUBLISH])
  }

  async reset({ aheadMs = 0 } = {}): Promise<void> {
    const keys = ['', 'rate', 'resets', 'waiting', 'ends', 'calls'].map((kind) => this.#key(kind))
    await this.#eval(scripts.reset, keys, [aheadMs, PUBLISH])
  }

  /** Which queues were called since the last time, each with the milliseconds after which it asks. */
  async calls(): Promise<readonly string[]> {
    const calls = (await this.#node.command('LRANGE', this.#key('calls'), 0, -1)) as string[]
    await this.#node.command('DEL', this.#key('calls'))
    return calls
  }

  /** The level of the first limit, or of that with this interval, in its own unit. */
  async level(perMs?: number): Promise<number> {
    const text = (await this.#node.command('GET', this.#key('rate'))) as string | null
    const levels = text?.split(' ').slice(1) ?? []
    const found = levels.find((level) => perMs === undefined || level.startsWith(`${String(perMs)}:`))
    return Number(found?.split(':')[1] ?? 0)
  }

  async places(): Promise<number> {
    return Number(await this.#node.command('ZCARD', this.#key('')))
  }

  async forget(): Promise<void> {
    const [, keys] = (await this.#node.command(
      'SCAN',
      '0',
      'MATCH',
      `*{${this.#name}}*`,
      'COUNT',
      100_000,
    )) as [string, string[]]
    if (keys.length > 0) await this.#node.command('DEL', ...keys)
  }

  #key(kind: string): string {
    return `ioredisson_work${kind === '' ? '' : '_'}${kind}:{${this.#name}}`
  }

  async #run(
    script: Script<string, string, unknown>,
    id: string,
    args: readonly (string | number)[],
  ): Promise<readonly number[]> {
    const keys = KINDS.map((kind) => this.#key(kind))
    return await this.#eval(script, [...keys, this.#requestKey(id)], args)
  }

  #requestKey(id: string): string {
    return `request:{${this.#name}}:${id}`
  }

  async #eval(
    { source }: Script<string, string, unknown>,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<readonly number[]> {
    const time = [Math.floor(this.now / 1_000_000), this.now % 1_000_000]
    const call = [`${CLOCK}${source}`, keys.length, ...keys, ...time, ...args]
    return (await this.#node.command('EVAL', ...call)) as readonly number[]
  }
}
