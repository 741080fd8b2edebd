import { expect } from 'vitest'
import { cleaningLatch, mapCacheKeys } from '../../../src/core/context/names.js'
import { ownerOf } from '../../support/ask-owner.js'
import type { ServerNode, Topology } from '../../support/launch/topology.js'

/** A moment that has passed, as one in the future is told from it. */
const PAST = 1

/** How far a measured time may be off. */
const TOLERANCE_MS = 9_000

const HEAD_BYTES = 16

/** Looks at the keys of map caches past the library, and has entries end without waiting. */
export class CacheLook {
  readonly #topology: Topology<ServerNode>

  constructor(topology: Topology<ServerNode>) {
    this.#topology = topology
  }

  optionsOf(name: string): string {
    return mapCacheKeys(name).options
  }

  /** Which keys of a cache there are. */
  async keys(name: string): Promise<string[]> {
    const { ttl, idle, access, options } = mapCacheKeys(name)
    const found: string[] = []
    for (const key of [name, ttl, idle, access, options])
      if ((await this.ask(name, 'EXISTS', key)) === 1) found.push(key)
    return found
  }

  async timesLeft(name: string): Promise<number[]> {
    const keys = await this.keys(name)
    return await Promise.all(keys.map(async (key) => Number(await this.ask(name, 'PTTL', key))))
  }

  async fields(name: string): Promise<string[]> {
    return ((await this.ask(name, 'HKEYS', name)) as string[]).toSorted()
  }

  /** Removes what a client that has cleaned leaves for a while. */
  async forgetCleaning(name: string): Promise<void> {
    await this.ask(name, 'DEL', cleaningLatch(name))
  }

  /** When or how often entries were used. */
  async uses(name: string): Promise<Record<string, number>> {
    return await this.#scores(name, mapCacheKeys(name).access)
  }

  /** Has entries end, by all that they end by. */
  async end(name: string, keys: readonly string[]): Promise<void> {
    const { ttl, idle } = mapCacheKeys(name)
    for (const set of [ttl, idle])
      for (let at = 0; at < keys.length; at += 1_000)
        await this.ask(name, 'ZADD', set, 'XX', ...keys.slice(at, at + 1_000).flatMap((key) => [PAST, key]))
  }

  /** Has the idle time of an entry be nearly over. */
  async endSoon(name: string, key: string): Promise<void> {
    await this.ask(name, 'ZINCRBY', mapCacheKeys(name).idle, -40_000, key)
  }

  /** Demands that an entry ends then, counted from about now. */
  async expectEnds(
    name: string,
    key: string,
    { ttlMs, maxIdleMs }: { ttlMs?: number; maxIdleMs?: number },
  ): Promise<void> {
    const { ttl, idle } = mapCacheKeys(name)
    const [seconds] = (await this.ask(name, 'TIME')) as [string]
    for (const [set, ms] of [
      [ttl, ttlMs],
      [idle, maxIdleMs],
    ] as const) {
      const score = (await this.#scores(name, set))[key]
      if (ms === undefined) {
        expect(score).toBeUndefined()
        continue
      }
      expect(score).toBeGreaterThan(Number(seconds) * 1_000 + ms - TOLERANCE_MS)
      expect(score).toBeLessThan(Number(seconds) * 1_000 + ms + TOLERANCE_MS)
    }
  }

  /** Demands that the sorted sets have no member without an entry, and idle times of those alone that have one. */
  async demandSound(name: string): Promise<void> {
    const records = await this.#records(name)
    const { ttl, idle, access } = mapCacheKeys(name)
    for (const set of [ttl, idle, access])
      for (const member of Object.keys(await this.#scores(name, set))) expect(records.has(member)).toBe(true)
    const idling = [...records].filter(([, record]) => record.readDoubleLE() !== 0).map(([field]) => field)
    expect(Object.keys(await this.#scores(name, idle)).toSorted()).toEqual(idling.toSorted())
    for (const record of records.values())
      expect(Number(record.readBigUInt64LE(8))).toBe(record.length - HEAD_BYTES)
  }

  async #records(name: string): Promise<Map<string, Buffer>> {
    const owner = await this.#hex(name)
    return new Map(owner.map(([field, record]) => [field, Buffer.from(record, 'hex')]))
  }

  async #hex(name: string): Promise<[string, string][]> {
    const script = `
      local found = {}
      for place, bytes in ipairs(redis.call('hgetall', KEYS[1])) do
        found[place] = place % 2 == 1 and bytes or string.gsub(bytes, '.', function(byte)
          return string.format('%02x', string.byte(byte))
        end)
      end
      return found`
    const found = (await this.ask(name, 'EVAL', script, 1, name)) as string[]
    return Array.from({ length: found.length / 2 }, (_, at) => [found[2 * at] ?? '', found[2 * at + 1] ?? ''])
  }

  async #scores(name: string, set: string): Promise<Record<string, number>> {
    const found = (await this.ask(name, 'ZRANGE', set, 0, -1, 'WITHSCORES')) as string[]
    return Object.fromEntries(
      Array.from({ length: found.length / 2 }, (_, at) => [found[2 * at], Number(found[2 * at + 1])]),
    ) as Record<string, number>
  }

  /** Asks the owner of a cache, whichever of its keys the command is about. */
  async ask(name: string, command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    const owner = await ownerOf(this.#topology, name)
    return await owner.command(command, ...args)
  }
}
