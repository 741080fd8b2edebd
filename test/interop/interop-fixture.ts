import { afterAll, beforeAll } from 'vitest'
import { Redisson, type CommonOptions, type RedissonClient } from '../../src/index.js'
import { startChild, type Child } from '../support/child.js'
import type { ClientTopology, SingleTopology } from '../support/launch/topology.js'
import { LeakCheck } from '../support/leak-check.js'
import { noLeaks } from '../support/no-leaks.js'
import { startSingle } from '../support/servers.js'
import { JavaPeer, type JavaClient, type JavaOptions, type JavaThread } from './java-peer.js'

/** A watchdog's time that outlasts every test: a waiter gets what it waits for by a message, and not by the end of a lease. */
export const NEVER_MS = 600_000

/**
 * The longest watchdog's time of a {@link InteropFixture.crowd}. When a writer leaves, Redisson wakes no thread that has been refused and
 * is about to sleep: such a thread waits for the next message, or for the end of the lease.
 */
const CROWD_WATCHDOG_MS = 15_000

const FAIR_WAIT_MS = 10_000

/** What Node remembers for a while, and tokens, which are kept for ever. */
const LEFT_BEHIND = { except: /^redisson_lock_token:/ }

/** The JVM, the servers and Maven's jars have to be there first. */
const START_WITHIN_MS = 120_000

/** Two clients on either side, that share servers. */
export class InteropFixture {
  readonly #topology: () => Promise<ClientTopology>
  /** How long a hold lasts without renewal; one that is renewed lasts two thirds of that at any time. */
  readonly watchdogMs: number
  #stage: Stage | undefined
  #names = 0
  #threads = 0

  constructor(start: () => Promise<ClientTopology>, watchdogMs: number) {
    this.#topology = start
    this.watchdogMs = watchdogMs

    beforeAll(async () => {
      this.#stage = await setStage(this.#topology, this.#settings)
    }, START_WITHIN_MS)

    afterAll(async () => {
      await this.#stage?.stop()
    })
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

  /** Two more clients on either side, for many who want the same at once. */
  get crowd(): Clients {
    return this.#there.crowd
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

interface Clients {
  readonly node: readonly [RedissonClient, RedissonClient]
  readonly java: readonly [JavaClient, JavaClient]
}

interface Stage extends Clients {
  readonly topology: ClientTopology
  readonly peer: JavaPeer
  readonly crowd: Clients
  readonly counters: { readonly server: SingleTopology; readonly java: JavaClient }
  stop(): Promise<void>
}

async function setStage(start: () => Promise<ClientTopology>, settings: Settings): Promise<Stage> {
  const [topology, server, peer] = await Promise.all([start(), startSingle(), JavaPeer.start()])
  const clients = await openClients(topology, peer, settings)
  const lockWatchdogTimeout = Math.min(settings.lockWatchdogTimeout, CROWD_WATCHDOG_MS)
  const crowd = await openClients(topology, peer, { ...settings, lockWatchdogTimeout })
  const counters = { server, java: await peer.open(server) }
  return {
    ...clients,
    topology,
    peer,
    crowd,
    counters,
    stop: async () => {
      await Promise.all([...clients.node, ...crowd.node].map((client) => client.shutdown()))
      await peer.end()
      await Promise.all([topology.stop(), server.stop()])
    },
  }
}

async function openClients(topology: ClientTopology, peer: JavaPeer, settings: Settings): Promise<Clients> {
  const options = { ...topology.options({}), ...settings }
  return {
    node: [await Redisson.create(options), await Redisson.create(options)],
    java: [await peer.open(topology, { settings }), await peer.open(topology, { settings })],
  }
}
