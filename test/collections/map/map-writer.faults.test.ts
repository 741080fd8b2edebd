import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type MapOptions, type RedissonClient, type RMap } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 800
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 50 }

const LOADING = 'LOADING Redis is loading the dataset in memory'

/** What a table has, and in which order each of its rows was written. */
class Table {
  readonly rows = new Map<string, unknown>()
  readonly history: (readonly [key: string, value: unknown])[] = []
  /** Keys of which a row is being written at the moment, and how often there was more than one writer of a row. */
  readonly #busy = new Set<string>()
  overlaps = 0

  /** A writer of one client, which takes some time. */
  writer(pauseMs = 0) {
    return {
      write: (entries: ReadonlyMap<string, unknown>) => this.#write([...entries], pauseMs),
      delete: (keys: readonly string[]) =>
        this.#write(
          keys.map((key) => [key, undefined]),
          pauseMs,
        ),
    }
  }

  async #write(entries: readonly (readonly [string, unknown])[], pauseMs: number): Promise<void> {
    for (const [key] of entries) {
      if (this.#busy.has(key)) this.overlaps += 1
      this.#busy.add(key)
    }
    await sleep(Math.random() * pauseMs)
    for (const [key, value] of entries) {
      this.#busy.delete(key)
      this.history.push([key, value])
      if (value === undefined) this.rows.delete(key)
      else this.rows.set(key, value)
    }
  }
}

const modes = ['WRITE_THROUGH', 'WRITE_BEHIND'] as const

describe('a map with a writer over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(single.options())
  })

  afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const make = (settings: Omit<MapOptions<string, number>, 'writer'>, pauseMs?: number) => {
    const name = `written-lost-${String(names++)}`
    const table = new Table()
    const map = client.getMap<string, number>(name, { ...settings, writer: table.writer(pauseMs) })
    return { name, table, map, seen: straight.getMap<string, number>(name) }
  }

  /** The requests of both modes, by a text that no other has. */
  const requests = [
    ['for the lock', ':lock', 'WRITE_THROUGH'],
    ['that changes the map', 'redisson__once', 'WRITE_THROUGH'],
    ['that changes and notes', ' a 1 1 1 6 10', 'WRITE_BEHIND'],
    ['that claims', ' 50 30000 ', 'WRITE_BEHIND'],
    ['that ends a claim', ' a 16', 'WRITE_BEHIND'],
  ] as const

  describeFaults('of which a request %s', TIMEOUT_MS, (...fault) => {
    it.each(requests)('%s: has what is in the map', async (_, text, writeMode) => {
      const { map, seen, table } = make({ writeMode, writeBehindDelayMs: 10 })
      await map.put('a', 1)
      await map.flush()
      const { struck } = strike(door.proxies, text, fault)
      const sum = map.merge('a', 5, (one, two) => one + two)
      await struck
      expect(await sum).toBe(6)
      await map.put('b', 1)
      expect(await map.remove('b')).toBe(1)
      await map.flush()
      expect(table.rows).toEqual(new Map([['a', 6]]))
      expect(await seen.readAllMap()).toEqual(table.rows)
      await seen.delete()
    })
  })

  it.each<[what: string, request: RegExp, call: (map: RMap<string, string>) => Promise<unknown>]>([
    ['put', /^evalsha .*mark/i, (map) => map.put('a', 'mark')],
    ['putAll', /^evalsha .*mark/i, (map) => map.putAll({ a: 'mark' })],
    ['remove', /^evalsha .*redisson__once/i, (map) => map.remove('a')],
    ['fastRemove', /^hdel/i, (map) => map.fastRemove('a')],
  ])(
    'has %s say that it may have run, as it was written and the map not changed',
    async (_, request, call) => {
      const impatient = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 1 }))
      const table = new Table()
      const map = impatient.getMap<string, string>('written-alone', { writer: table.writer() })
      await straight.getMap('written-alone').put('a', 'before')
      using _trap = door.proxies[0]?.onRequest(request, (passing) => passing.refuse(LOADING), {
        times: 1_000,
      })
      await expect(call(map)).rejects.toMatchObject({ code: 'SERVER_NOT_READY', mayHaveRun: true })
      expect(table.history).toHaveLength(1)
      expect(await straight.getMap('written-alone').get('a')).toBe('before')
      await impatient.shutdown()
      await straight.getMap('written-alone').delete()
    },
  )

  it.each(modes)(
    'has fastRemove say that it may have run, as a request before has had rows deleted that the map did not have (%s)',
    async (writeMode) => {
      const impatient = await Redisson.create(door.options({ ...SETTINGS, retryAttempts: 1 }))
      const keys = Array.from({ length: 60 }, (_, n) => `key ${String(n)}`)
      const table = new Table()
      for (const key of keys) table.rows.set(key, 'row')
      const map = impatient.getMap('written-in-parts', {
        loader: { load: (key) => table.rows.get(key) },
        writer: table.writer(),
        writeMode,
        writeBehindDelayMs: 60_000,
      })
      using _trap = door.proxies[0]?.onRequest('key 59', (passing) => passing.refuse(LOADING), {
        times: 1_000,
      })
      await expect(map.fastRemove(...keys)).rejects.toMatchObject({
        code: 'SERVER_NOT_READY',
        mayHaveRun: true,
      })
      await map.flush()
      expect([...table.rows.keys()]).toEqual(keys.slice(50))
      await impatient.shutdown()
    },
  )

  it.each(modes)('has the same as the map after many cuts (%s)', async (writeMode) => {
    const { map, seen, table } = make({ writeMode, writeBehindDelayMs: 5 }, 5)
    const flow = async () => {
      for (let n = 0; n < 40; n += 1)
        await map.merge(`key ${String(n % 4)}`, 1, (before, one) => before + one)
    }
    const cutting = setInterval(() => {
      for (const proxy of door.proxies) proxy.cut()
    }, 100)
    await Promise.all([flow(), flow()])
    clearInterval(cutting)
    await map.flush()
    expect(await seen.readAllMap()).toEqual(table.rows)
    expect([...table.rows.values()].reduce((sum: number, each) => sum + Number(each), 0)).toBe(80)
    expect(table.overlaps).toBe(0)
    await seen.delete()
  })

  it.each(modes)('writes each row in order, by one client at a time (%s)', async (writeMode) => {
    const { map, name, seen, table } = make({ writeMode, writeBehindDelayMs: 1 }, 3)
    const other = straight.getMap<string, number>(name, {
      writeMode,
      writeBehindDelayMs: 1,
      writer: table.writer(3),
    })
    const flow = async (one: RMap<string, number>) => {
      for (let n = 0; n < 60; n += 1) await one.merge('a', 1, (before, more) => before + more)
    }
    await Promise.all([flow(map), flow(map), flow(other), flow(other)])
    await map.flush()
    const values = table.history.map(([, value]) => Number(value))
    expect(values).toEqual([...values].sort((one, two) => one - two))
    expect(values.at(-1)).toBe(240)
    expect(table.overlaps).toBe(0)
    await seen.delete()
  })

  it('writes behind what is left when the client is shut down', async () => {
    const table = new Table()
    const mine = await Redisson.create(single.options())
    const map = mine.getMap<string, number>('written-at-last', {
      writeMode: 'WRITE_BEHIND',
      writeBehindDelayMs: 60_000,
      writer: table.writer(20),
    })
    await map.putAll({ a: 1, b: 2 })
    await map.remove('b')
    await mine.shutdown()
    expect(table.rows).toEqual(new Map([['a', 1]]))
    await straight.getMap('written-at-last').delete()
  })

  it(
    'does not hold up the shutdown for ever where its writer does not end',
    { tags: ['timed'] },
    async () => {
      const mine = await Redisson.create(single.options({ timeout: 500, retryAttempts: 0 }))
      const map = mine.getMap<string, number>('written-never', {
        writeMode: 'WRITE_BEHIND',
        writeBehindDelayMs: 60_000,
        writer: { write: () => new Promise(() => undefined), delete: () => undefined },
      })
      await map.put('a', 1)
      const startedAt = performance.now()
      await mine.shutdown()
      expect(performance.now() - startedAt).toBeLessThan(10_000)
      await single.nodes[0].command('DEL', 'written-never')
      for (const each of ['', '-due', '-claimed', '-tokens'])
        await single.nodes[0].command('DEL', `{written-never}:write-behind${each}`)
    },
  )

  it(
    'writes what a client has left in the middle of its writing, when its claim has ended',
    { tags: ['timed'] },
    async () => {
      const never = { write: () => new Promise(() => undefined), delete: () => undefined }
      const settings = { writeMode: 'WRITE_BEHIND', writeBehindDelayMs: 1 } as const
      const name = 'written-half'
      const dying = await Redisson.create(single.options({ timeout: 500, retryAttempts: 0 }))
      await dying.getMap<string, number>(name, { ...settings, writer: never }).put('a', 1)
      await eventually(async () => {
        expect(await askOwner(single, `{${name}}:write-behind-claimed`, 'ZCARD')).toBe(1)
      })
      const table = new Table()
      const map = straight.getMap<string, number>(name, { ...settings, writer: table.writer() })
      const flushed = map.flush()
      expect(await Promise.race([flushed.then(() => 'flushed'), sleep(200, 'waits')])).toBe('waits')
      await askOwner(single, `{${name}}:write-behind-claimed`, 'ZADD', 1, 'a') // as if half a minute had passed
      await flushed
      expect(table.rows).toEqual(new Map([['a', 1]]))
      await dying.shutdown()
      await map.delete()
    },
  )
})
