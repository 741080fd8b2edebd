import { queryObjects } from 'node:v8'
import { Redis } from 'ioredis'
import type { RedissonClient } from '../../src/api/redisson-client.js'
import { collectGarbage } from './collect-garbage.js'
import { eventually } from './eventually.js'
import type { TcpProxy } from './proxy.js'

/** What may be there besides: connections that ioredis is still taking leave of. */
const MARGIN = 20

/** Breaks before what is there is counted for the first time. */
const WARM_UP = 3

/** One name for each master of a cluster of three. */
export const NAMES = ['a', 'b', 'c'] as const

export async function readAll(client: RedissonClient): Promise<void> {
  await Promise.all(NAMES.map((name) => client.getBucket(name).get()))
}

/** Breaks all connections of a client, and waits until it has noticed and works again. */
export async function breakAll(client: RedissonClient, proxies: readonly TcpProxy[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('disconnected', () => {
    resolve()
  })
  for (const proxy of proxies) proxy.cut()
  await promise
  await readAll(client)
}

/** Does something again and again, after which there may be no more connections and timers than before. */
export async function expectFlat(act: () => Promise<void>, rounds: number): Promise<void> {
  for (let round = 0; round < WARM_UP; round += 1) await act()
  const before = { connections: connections(), timers: timers() }
  for (let round = 0; round < rounds; round += 1) await act()
  await eventually(
    () => {
      const after = { connections: connections(), timers: timers() }
      const grown = (kind: keyof typeof after) => after[kind] >= before[kind] + MARGIN
      if (grown('connections') || grown('timers'))
        throw new Error(`before: ${JSON.stringify(before)}, after: ${JSON.stringify(after)}`)
    },
    { what: `no more connections and timers after ${String(rounds)} rounds`, withinMs: 10_000 },
  )
}

/** How many connections of ioredis there are, with those that something still holds. */
function connections(): number {
  collectGarbage()
  return queryObjects(Redis, { format: 'count' })
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
}
