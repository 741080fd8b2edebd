import { afterAll, beforeAll, expect } from 'vitest'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { Masters } from '../../../src/command/masters.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import type { ObjectContext } from '../../../src/core/context/object-context.js'
import { RedissonExpirable } from '../../../src/core/redisson-expirable.js'
import type { ObjectKeys } from '../../../src/core/redisson-object.js'
import { EvictionService } from '../../../src/eviction/eviction-service.js'
import type { RedissonOptions } from '../../../src/index.js'
import { Subscriptions } from '../../../src/pubsub/subscriptions.js'
import { WakeUps } from '../../../src/pubsub/wake-ups.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { Emitter } from '../../../src/util/emitter.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import type { ServerNode, Topology } from '../../support/launch/topology.js'

/** What an object is given, of a connection that is opened before the first test and closed after the last. */
export function objectContext(optionsOf: () => RedissonOptions): () => ObjectContext {
  let context: ObjectContext | undefined
  let close: (() => Promise<void>) | undefined

  beforeAll(async () => {
    const config = resolveConfig(optionsOf())
    const connection = await createConnection(config, new Emitter())
    const executor = new ConnectionExecutor(connection, config)
    const closing = new AbortController().signal
    const keyChanges = new Subscriptions(connection.keyChanges)
    context = {
      executor,
      masters: new Masters(connection, executor),
      subscriptions: new Subscriptions(connection.subscriber),
      keyChanges,
      keyWakeUps: new WakeUps(keyChanges, config),
      eviction: new EvictionService(closing),
      topology: connection,
      config,
      closing,
      onClose: () => undefined,
    }
    close = async () => {
      await executor.close(Deadline.never)
      await connection.close()
    }
  })

  afterAll(() => close?.())

  return () => {
    if (context !== undefined) return context
    throw new Error('The connection is opened before the first test, and not sooner')
  }
}

/** The keys of a {@link Shelf}. */
export function keysOfShelf(key: string): ObjectKeys {
  const tagged = key.includes('{') ? key : `{${key}}`
  return [key, `${tagged}:order`, `${tagged}:settings`]
}

/** An object of three keys: a number, a list and a hash. */
export class Shelf extends RedissonExpirable {
  protected override keysOf(key: string): ObjectKeys {
    return keysOfShelf(key)
  }
}

/** An object of one key. */
export class Box extends RedissonExpirable {}

/** When a key expires, for servers that do not know `PEXPIRETIME` yet: both commands are run within the same millisecond. */
const MOMENT = `
  local function now()
    local time = redis.call('time')
    return time[1] * 1000 + math.floor(time[2] / 1000)
  end
  local nowMs, leftMs
  repeat
    nowMs, leftMs = now(), redis.call('pttl', KEYS[1])
  until nowMs == now()
  return leftMs < 0 and leftMs or nowMs + leftMs`

/** Stores a key anew, as one that has not been used for a number of seconds. */
const AGE = `
  local state = redis.call('dump', KEYS[1])
  return redis.call('restore', KEYS[1], 0, state, 'replace', 'idletime', ARGV[1])`

/** Demands that moments are the same, but for the milliseconds between two looks at a clock. */
export function expectMoments(found: readonly number[], expected: readonly number[]): void {
  expect(found.map((moment, index) => Math.abs(moment - (expected[index] ?? NaN)) <= 5)).toEqual(
    found.map(() => true),
  )
}

/** Makes the three keys of a shelf, past the library, and tells what they hold. */
export class ShelfKeys {
  readonly #topology: Topology<ServerNode>

  constructor(topology: Topology<ServerNode>) {
    this.#topology = topology
  }

  async fill(key: string, number: number): Promise<void> {
    const [own, order, settings] = keysOfShelf(key)
    await this.ask(own, 'SET', number)
    await this.ask(String(order), 'RPUSH', 'a', 'b')
    await this.ask(String(settings), 'HSET', 'size', number)
  }

  /** What is at each of them; null where there is nothing. */
  async look(key: string): Promise<unknown> {
    const [own, order, settings] = keysOfShelf(key)
    return [
      await this.ask(own, 'GET'),
      await this.ask(String(order), 'LRANGE', 0, -1),
      await this.ask(String(settings), 'HGET', 'size'),
    ]
  }

  /** When each of them expires, in milliseconds since 1970: -1 for never. */
  async expiry(key: string): Promise<number[]> {
    return await Promise.all(keysOfShelf(key).map((each) => this.momentOf(each)))
  }

  /** The same of one key, to a few milliseconds. */
  async momentOf(key: string): Promise<number> {
    const owner = await ownerOf(this.#topology, key)
    return Number(await owner.command('EVAL', MOMENT, 1, key))
  }

  /** Has a key not have been used for that time. */
  async age(key: string, seconds: number): Promise<void> {
    const owner = await ownerOf(this.#topology, key)
    await owner.command('EVAL', AGE, 1, key, seconds)
  }

  /** For how long a key was not used, in whole seconds. */
  async idleSeconds(key: string): Promise<number> {
    const owner = await ownerOf(this.#topology, key)
    return Number(await owner.command('OBJECT', 'IDLETIME', key))
  }

  ask(key: string, command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return askOwner(this.#topology, key, command, ...args)
  }
}

/** What {@link ShelfKeys.look} tells of a shelf that was filled with a number. */
export const filled = (number: number): unknown => [String(number), ['a', 'b'], String(number)]

/** What it tells where there is no shelf. */
export const GONE: unknown = [null, [], null]
