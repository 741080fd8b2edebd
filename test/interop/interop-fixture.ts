import { afterAll, beforeAll } from 'vitest'
import { Redisson, type CommonOptions, type RedissonClient } from '../../src/index.js'
import { startChild, type Child } from '../support/child.js'
import type { ClientTopology, SingleTopology } from '../support/launch/topology.js'
import { LeakCheck } from '../support/leak-check.js'
import { noLeaks } from '../support/no-leaks.js'
import { startSingle } from '../support/servers.js'
import { JavaPeer, type JavaClient, type JavaOptions, type JavaThread } from './java-peer.js'

/** The times that clients and tests go by, in milliseconds. */
export interface Times {
  /**
   * How long a hold lasts without renewal; one that is renewed lasts two thirds of that at any time. Longer than {@link soonMs}, so
   * that a waiter who wakes by then was not woken by its end.
   */
  readonly watchdogMs: number
  /** By when a woken waiter is awake. It takes some milliseconds. */
  readonly soonMs: number
}

/** For tests that wait for no lease to end: a machine that stands still for seconds changes nothing. */
export const LONG: Times = { watchdogMs: 15_000, soonMs: 8_000 }

/** For tests that wait for the ends of leases. */
export const SHORT: Times = { watchdogMs: 3_000, soonMs: 1_500 }

const FAIR_WAIT_MS = 10_000

/** What Node remembers for a while, and tokens, which are kept for ever. */
const LEFT_BEHIND = { except: /^redisson_(unlock_latch|lock_token):/ }

/** The JVM, the servers and Maven's jars have to be there first. */
const START_WITHIN_MS = 120_000

/** Two clients on either side, that share servers. */
export class InteropFixture {
  readonly #topology: () => Promise<ClientTopology>
  readonly #times: Times
  #stage: Stage | undefined
  #names = 0
  #threads = 0

  constructor(start: () => Promise<ClientTopology>, times: Times) {
    this.#topology = start
    this.#times = times

    beforeAll(async () => {
      this.#stage = await setStage(this.#topology, this.#settings)
    }, START_WITHIN_MS)

    afterAll(async () => {
      await this.#stage?.stop()
    })
  }

  /** How long a hold lasts without renewal. */
  get watchdogMs(): number {
    return this.#times.watchdogMs
  }

  /** By when a woken waiter is awake. */
  get soonMs(): number {
    return this.#times.soonMs
  }

  get topology(): ClientTopology {
    return this.#there.topology
  }

  /** The clients in Node. */
  get node(): readonly [RedissonClient, RedissonClient] {
    return this.#there.node
  }

  /** The clients in Java. */
  get java(): readonly [JavaClient, JavaClient] {
    return this.#there.java
  }

  /** A server for what the tests count, and Java's client of it. */
  get counters(): Stage['counters'] {
    return this.#there.counters
  }

  /** Demands of every test of this `describe` that it leaves nothing behind. */
  noLeaks(): void {
    noLeaks(() => this.topology, LEFT_BEHIND)
  }

  /** Demands it of all tests of this `describe` together, since they run side by side. */
  noLeaksAfterAll(): void {
    let check: LeakCheck | undefined
    beforeAll(() => {
      check = new LeakCheck()
    })
    afterAll(() => check?.finish(this.topology.nodes, LEFT_BEHIND))
  }

  /** An unused thread of the first client in Java. */
  thread(): JavaThread {
    return this.java[0].thread(`thread ${(this.#threads += 1)}`)
  }

  /** A name that nothing has yet. */
  name(): string {
    return `shared-${String((this.#names += 1)).padStart(4, '0')}`
  }

  /** Connects one more client of either side, set up in a way of its own. */
  async open(options: {
    readonly node?: CommonOptions
    readonly java?: JavaOptions
    readonly section?: Readonly<Record<string, unknown>>
  }): Promise<{ readonly node: RedissonClient; readonly java: JavaClient } & AsyncDisposable> {
    const { section = {} } = options
    const node = await Redisson.create({
      ...this.topology.options(section),
      ...this.#settings,
      ...options.node,
    })
    const java = await this.#there.peer.open(this.topology, {
      settings: this.#settings,
      section,
      ...options.java,
    })
    return {
      node,
      java,
      [Symbol.asyncDispose]: async () => {
        await Promise.all([node.shutdown(), java.thread('closer').call(['shutdown'])])
      },
    }
  }

  /** Starts one more JVM, for a test to kill. */
  async startJava(
    settings: JavaOptions['settings'] = {},
  ): Promise<{ readonly peer: JavaPeer; readonly client: JavaClient }> {
    const peer = await JavaPeer.start()
    return { peer, client: await peer.open(this.topology, { settings: { ...this.#settings, ...settings } }) }
  }

  /** Starts a process of Node, for a test to kill. */
  async startNode(): Promise<Child> {
    const options = JSON.stringify({ ...this.topology.options({}), ...this.#settings })
    const child = startChild(new URL('fixtures/node-user.ts', import.meta.url), { args: [options] })
    await child.hear('ready')
    return child
  }

  /** Settings that both sides have to agree about. */
  get #settings(): Settings {
    return { lockWatchdogTimeout: this.watchdogMs, fairLockWaitTimeout: FAIR_WAIT_MS }
  }

  get #there(): Stage {
    if (this.#stage) return this.#stage
    throw new Error('The clients connect before the first test, and not sooner')
  }
}

type Settings = Readonly<Record<'lockWatchdogTimeout' | 'fairLockWaitTimeout', number>>

interface Stage {
  readonly topology: ClientTopology
  readonly peer: JavaPeer
  readonly node: readonly [RedissonClient, RedissonClient]
  readonly java: readonly [JavaClient, JavaClient]
  readonly counters: { readonly server: SingleTopology; readonly java: JavaClient }
  stop(): Promise<void>
}

async function setStage(start: () => Promise<ClientTopology>, settings: Settings): Promise<Stage> {
  const [topology, server, peer] = await Promise.all([start(), startSingle(), JavaPeer.start()])
  const options = { ...topology.options({}), ...settings }
  const node = [await Redisson.create(options), await Redisson.create(options)] as const
  const java = [await peer.open(topology, { settings }), await peer.open(topology, { settings })] as const
  const counters = { server, java: await peer.open(server) }
  return {
    topology,
    peer,
    node,
    java,
    counters,
    stop: async () => {
      await Promise.all(node.map((client) => client.shutdown()))
      await peer.end()
      await Promise.all([topology.stop(), server.stop()])
    },
  }
}
