import { beforeEach, expect } from 'vitest'
import { WrongTypeError, type CommonOptions, type RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import type { ServerNode, Topology } from '../../support/launch/topology.js'

/** Short, so that tests which have to wait for the watchdog are quick. A busy machine may end such a lease, unless it is renewed. */
export const WATCHDOG_MS = 1_200

/** For all other tests: a busy machine ends no such lease. */
const PATIENT_WATCHDOG_MS = 20_000

/** What the tests of a synchronizer work with: a new name for every test, and its object at two clients. */
export class SynchronizerFixture<T> {
  readonly topology: Topology<ServerNode>
  readonly #get: (client: RedissonClient, name: string) => T
  readonly #clients: { readonly mine: RedissonClient; readonly other: RedissonClient }
  #tests = 0

  constructor(
    topology: Topology<ServerNode>,
    get: (client: RedissonClient, name: string) => T,
    settings: CommonOptions = {},
  ) {
    this.topology = topology
    this.#get = get
    this.#clients = twoClients(topology, { lockWatchdogTimeout: PATIENT_WATCHDOG_MS, ...settings })
    beforeEach(() => {
      this.#tests += 1
    })
  }

  get clients(): readonly [RedissonClient, RedissonClient] {
    return [this.#clients.mine, this.#clients.other]
  }

  /** The name of this test's object. */
  get name(): string {
    return `object-${String(this.#tests)}`
  }

  /** This test's object. */
  get mine(): T {
    return this.of(this.#clients.mine)
  }

  /** The same at the other client. */
  get theirs(): T {
    return this.of(this.#clients.other)
  }

  of(client: RedissonClient, name = this.name): T {
    return this.#get(client, name)
  }

  /** Sends a command about this test's key to its server, past the library. */
  ask(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return askOwner(this.topology, this.name, command, ...args)
  }

  /** Demands that a call is refused, and changes nothing, where its name belongs to a hash or to a text. */
  async expectWrongTypes(operate: (object: T) => Promise<unknown>): Promise<void> {
    for (const [make, look] of [
      [['HSET', 'field', 'value'], 'HGETALL'],
      [['SET', 'text'], 'GET'],
    ] as const) {
      const [command, ...args] = make
      await this.ask(command, ...args)
      const before = await this.ask(look)
      await expect(operate(this.mine)).rejects.toBeInstanceOf(WrongTypeError)
      expect(await this.ask(look)).toEqual(before)
      await this.ask('DEL')
    }
  }

  /** How many scripts the servers have been asked to run. */
  async countScripts(): Promise<number> {
    const stats = await Promise.all(
      this.topology.nodes.map(async (node) => (await node.command('INFO', 'commandstats')) as string),
    )
    return stats.reduce((sum, text) => sum + callsOf(text, 'evalsha') + callsOf(text, 'eval'), 0)
  }

  /** Demands that something rejects without having run a script; returns the error. */
  async refusal(ask: () => Promise<unknown>): Promise<Error> {
    const before = await this.countScripts()
    const error: unknown = await ask().then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if ((await this.countScripts()) !== before) throw new Error('Expected nothing to be sent, got a script')
    if (error instanceof Error) return error
    throw new Error('Expected the call to reject, but it resolved')
  }
}

function callsOf(stats: string, command: string): number {
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}
