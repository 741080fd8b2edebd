import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { RedissonClient } from 'ioredisson'
import { Monitor } from '../../test/support/monitor.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import type { Case, Step } from './cases.js'
import { leastScript } from './least.js'

/** What one script takes in Redis. */
export interface ScriptCost {
  readonly name: string
  /** The commands that it runs. */
  readonly commands: readonly string[]
  /** Those that no script can do without. */
  readonly least: readonly string[]
  /** How many commands the client sends for the call. */
  readonly roundTrips: number
  /** Microseconds of a call, in the best round; and those of the script of the least commands. */
  readonly us: number
  readonly leastUs: number
}

/** Calls of a script in one round: few enough that some rounds pass without an interruption. */
const CALLS = 100

const LEASE_MS = 30_000

const NAMES = Array.from({ length: CALLS }, (_, number) => `costs-${String(number)}`)

/** Measures scripts. The best of the rounds counts: whatever else runs on the machine can only add to it. */
export async function scriptCosts(
  { client, redis, node }: { client: RedissonClient; redis: Redis; node: RunningNode },
  cases: readonly Case[],
  { rounds, onCase }: { rounds: number; onCase: (name: string) => void },
): Promise<readonly ScriptCost[]> {
  const costs: ScriptCost[] = []
  for (const each of cases) {
    onCase(each.name)
    costs.push(...(await costsOf(each)))
    await redis.flushdb()
  }
  return costs

  async function costsOf({ name, before, steps }: Case): Promise<readonly ScriptCost[]> {
    const measured = steps(client).map((step) => new MeasuredStep(redis, step))
    await Promise.all(measured.map((step) => step.load()))
    const keys = [...NAMES, ...NAMES.map(leastName)]
    for (const key of before === undefined ? [] : keys)
      await redis.call(...(before?.map((word) => (word === 'key' ? key : word)) as [string, ...string[]]))
    for (const step of measured) await step.run() // so that the server knows the scripts, and Node has seen the calls
    const seen: Seen[] = []
    for (const step of measured) seen.push(await seeing(node, step))
    for (let round = 0; round < rounds; round += 1) {
      for (const step of measured) await step.measure()
      for (const step of measured) await step.measureLeast()
    }
    return measured.map(({ step, us, leastUs }, place) => {
      const { commands = [], roundTrips = 0 } = seen[place] ?? {}
      return {
        name: `${name}, ${step.name}`,
        commands,
        roundTrips,
        least: step.least.map(verbOf),
        us,
        leastUs,
      }
    })
  }
}

interface Seen {
  readonly commands: readonly string[]
  readonly roundTrips: number
}

/** The commands of one call, and how many of them the client has sent. The other calls of the step come after it. */
async function seeing(node: RunningNode, step: MeasuredStep): Promise<Seen> {
  const [first = '', ...others] = NAMES
  await sleep(SETTLED_MS)
  await using monitor = await Monitor.of([node])
  await step.step.call(first)
  const deeds = await monitor.deeds()
  await Promise.all(others.map((name) => step.step.call(name)))
  const by = (who: 'script' | 'client') => deeds.filter((deed) => deed.by === who)
  return { commands: by('script').map(({ words: [verb = ''] }) => verb), roundTrips: by('client').length }
}

/** Until then, the client has removed what scripts remember of requests. */
const SETTLED_MS = 100

/** A step, and the least times that it has taken. */
class MeasuredStep {
  us = Infinity
  leastUs = Infinity
  readonly step: Step
  readonly #redis: Redis
  readonly #least: string
  #sha = ''

  constructor(redis: Redis, step: Step) {
    this.#redis = redis
    this.step = step
    this.#least = leastScript(step.least)
  }

  async load(): Promise<void> {
    this.#sha = String(await this.#redis.script('LOAD', this.#least))
  }

  run(): Promise<unknown> {
    return Promise.all(NAMES.map((name) => this.step.call(name)))
  }

  async measure(): Promise<void> {
    this.us = Math.min(this.us, await this.#timed(() => this.run()))
  }

  async measureLeast(): Promise<void> {
    const pipeline = this.#redis.pipeline()
    for (const name of NAMES) pipeline.evalsha(this.#sha, 1, leastName(name), `owner of ${name}`, LEASE_MS)
    this.leastUs = Math.min(this.leastUs, await this.#timed(() => pipeline.exec()))
  }

  async #timed(run: () => Promise<unknown>): Promise<number> {
    await this.#redis.config('RESETSTAT')
    await run()
    return microsIn(await this.#redis.info('commandstats'))
  }
}

function leastName(name: string): string {
  return `least-${name}`
}

function verbOf(command: string): string {
  return command.split(' ', 1).join()
}

/**
 * The microseconds of a call of a script, by `INFO commandstats`. What a script calls is counted with it.
 *
 * @throws Error if none was called
 */
export function microsIn(commandStats: string): number {
  const [, calls, micros] = /^cmdstat_evalsha:calls=(\d+),usec=(\d+)/m.exec(commandStats) ?? []
  if (calls === undefined) throw new Error('Expected calls of scripts, got none')
  return Number(micros) / Number(calls)
}
