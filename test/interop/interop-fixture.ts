import { afterAll, beforeAll } from 'vitest'
import { Redisson, type CommonOptions, type RedissonClient } from '../../src/index.js'
import { startChild, type Child } from '../support/child.js'
import type { ClientTopology, SingleTopology } from '../support/launch/topology.js'
import { LeakCheck } from '../support/leak-check.js'
import { noLeaks } from '../support/no-leaks.js'
import { startSingle } from '../support/servers.js'
import { JavaPeer, type JavaClient, type JavaOptions, type JavaThread } from './java-peer.js'

/**
 * How long a hold lasts without renewal; one that is renewed lasts two thirds of that at any time. Long, so that who is
 * woken within {@link SOON_MS} was not woken by its end; short, because some tests wait for that.
 */
export const WATCHDOG_MS = 3_000

/** By when a woken waiter is awake, on a busy machine. It takes some milliseconds. */
export const SOON_MS = 1_500

/** Settings that both sides have to agree about, or that make tests quick. */
const SETTINGS = { lockWatchdogTimeout: WATCHDOG_MS, fairLockWaitTimeout: 10_000 }

/** What Node remembers for a while, and tokens, which are kept for ever. */
const LEFT_BEHIND = { except: /^redisson_(unlock_latch|lock_token):/ }

/** The JVM, the servers and Maven's jars have to be there first. */
const START_WITHIN_MS = 120_000

/** Two clients on either side, that share servers. */
export class InteropFixture {
  readonly #topology: () => Promise<ClientTopology>
  #stage: Stage | undefined
  #names = 0
  #threads = 0

  constructor(start: () => Promise<ClientTopology>) {
    this.#topology = start

    beforeAll(async () => {
      this.#stage = await setStage(this.#topology)
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
    const node = await Redisson.create({ ...this.topology.options(section), ...SETTINGS, ...options.node })
    const java = await this.#there.peer.open(this.topology, { settings: SETTINGS, section, ...options.java })
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
    return { peer, client: await peer.open(this.topology, { settings: { ...SETTINGS, ...settings } }) }
  }

  /** Starts a process of Node, for a test to kill. */
  async startNode(): Promise<Child> {
    const options = JSON.stringify({ ...this.topology.options({}), ...SETTINGS })
    const child = startChild(new URL('fixtures/node-user.ts', import.meta.url), { args: [options] })
    await child.hear('ready')
    return child
  }

  get #there(): Stage {
    if (this.#stage) return this.#stage
    throw new Error('The clients connect before the first test, and not sooner')
  }
}

interface Stage {
  readonly topology: ClientTopology
  readonly peer: JavaPeer
  readonly node: readonly [RedissonClient, RedissonClient]
  readonly java: readonly [JavaClient, JavaClient]
  readonly counters: { readonly server: SingleTopology; readonly java: JavaClient }
  stop(): Promise<void>
}

async function setStage(start: () => Promise<ClientTopology>): Promise<Stage> {
  const [topology, server, peer] = await Promise.all([start(), startSingle(), JavaPeer.start()])
  const options = { ...topology.options({}), ...SETTINGS }
  const node = [await Redisson.create(options), await Redisson.create(options)] as const
  const settings = { settings: SETTINGS }
  const java = [await peer.open(topology, settings), await peer.open(topology, settings)] as const
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
