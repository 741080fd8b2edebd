import { afterAll, beforeAll } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import type { ServerNode, SingleTopology } from './launch/topology.js'
import { Monitor } from './monitor.js'

/** A client of a server, and what it sends there. */
export interface WatchedClient {
  readonly client: RedissonClient
  readonly monitor: Monitor
}

/** Makes a client for all tests of a block. Its fields are there in the tests, and not before. */
export function watchedClient(topology: SingleTopology<ServerNode>): WatchedClient {
  const watched: { -readonly [K in keyof WatchedClient]?: WatchedClient[K] } = {}
  beforeAll(async () => {
    watched.client = await Redisson.create(topology.options())
    watched.monitor = await Monitor.of(topology.nodes)
  })
  afterAll(async () => {
    await watched.monitor?.[Symbol.asyncDispose]()
    await watched.client?.shutdown()
  })
  return watched as WatchedClient
}
