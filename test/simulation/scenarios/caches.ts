import assert from 'node:assert/strict'
import type { LocalCachedMapOptions, RCache, RedissonClient, RLocalCachedMap } from '../../../src/index.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** For how long the mark of a load lasts that nothing renews, and how long a call may take that waits for one. */
const LEASE_MS = 5_000
const REPLACED_WITHIN_MS = LEASE_MS + 1_500

const LOAD_MS = 500

/** A load reads, takes the mark, and stores. */
const SCRIPTS = 3

/** When a process is killed: before Redis has run a script of it, or before it has the reply. */
const MOMENTS = { before: 'lose', after: 'deliver' } as const

/** How changes of a map reach other processes. */
const SYNCS = ['INVALIDATE', 'UPDATE'] as const

export const caches: readonly Scenario[] = [
  ...Object.entries(MOMENTS).flatMap(([moment, fate]) =>
    Array.from({ length: SCRIPTS }, (_, script): Scenario => ({
      name: `cache-killed-${moment}-${String(script + 1)}`,
      promise: `A cache loads at most twice, and no call hangs, when a process that loads is killed ${moment} its script ${String(script + 1)}`,
      run: async (stage) => {
        const [dying, other] = await two(stage)
        const loads: string[] = []
        void dying.atScript({ nth: script + 1 }, () => {
          dying.kill()
          return fate
        })
        void load(dying, 'dying', loads).catch(() => undefined)
        await stage.sleep(LOAD_MS / 2)
        const askedAt = stage.now
        const found = await load(other, 'other', loads)
        assert.ok(stage.now - askedAt <= REPLACED_WITHIN_MS + LOAD_MS, 'the call took too long')
        assert.equal(found, loads.at(-1), 'the value is not the last one that was loaded')
        assert.ok(loads.length <= 2, 'it was loaded too often')
        assert.equal(await load(other, 'other', loads), found)
      },
    })),
  ),
  {
    name: 'cache-frozen',
    promise:
      'What a process has loaded that stood still is not stored over what another one has loaded meanwhile',
    run: async (stage) => {
      const [frozen, other] = await two(stage)
      const loads: string[] = []
      const late = load(frozen, 'frozen', loads)
      await stage.sleep(LOAD_MS / 2)
      frozen.freeze(3 * LEASE_MS)
      assert.equal(await load(other, 'other', loads), 'other')
      await late
      await stage.sleep(4 * LEASE_MS)
      assert.equal(await other.run((client) => cacheOf(client).get('a')), 'other')
      assert.equal(await frozen.run((client) => cacheOf(client).get('a')), 'other')
    },
  },
  ...(['delete', 'deleteTag', 'clear'] as const).map((way): Scenario => ({
    name: `cache-store-late-${way}`,
    promise: `A load that began before ${way}() does not store, although its request arrives later`,
    run: async (stage) => {
      const [slow, other] = await two(stage)
      const loads: string[] = []
      void slow.atScript({ nth: 3 }, { delayMs: 100 }).catch(() => undefined)
      const loading = load(slow, 'slow', loads)
      await stage.sleep(LOAD_MS + 20)
      await other.run((client) => removeBy(cacheOf(client), way))
      await loading
      assert.equal(await other.run((client) => cacheOf(client).get('a')), undefined)
      assert.equal(await slow.run((client) => cacheOf(client).get('a')), undefined)
    },
  })),
  ...SYNCS.flatMap((syncStrategy): Scenario[] => [
    {
      name: `near-overtaken-${syncStrategy}`,
      promise: `A local cached map with ${syncStrategy} does not keep what was read before a change whose message came first`,
      run: async (stage) => {
        const [reader, writer] = await two(stage)
        await writer.run((client) => mapOf(client, { syncStrategy }).fastPut('a', 'old'))
        await reader.run((client) => mapOf(client, { syncStrategy }).get('b')) // it listens
        void reader.delayReply({ with: 'prices' }, 100)
        const reading = reader.run((client) => mapOf(client, { syncStrategy }).get('a'))
        await stage.sleep(20)
        await writer.run((client) => mapOf(client, { syncStrategy }).fastPut('a', 'new'))
        assert.equal(await reading, 'old')
        assert.equal(await reader.run((client) => mapOf(client, { syncStrategy }).get('a')), 'new')
      },
    },
    {
      name: `near-cut-${syncStrategy}`,
      promise: `A local cached map with ${syncStrategy} serves nothing old after its connections were cut, although a message got lost`,
      run: async (stage) => {
        const [reader, writer] = await two(stage)
        await writer.run((client) => mapOf(client, { syncStrategy }).fastPut('a', 'old'))
        const read = () => reader.run((client) => mapOf(client, { syncStrategy }).get('a'))
        assert.equal(await read(), 'old')
        reader.delayMessages(3_600_000)
        await writer.run((client) => mapOf(client, { syncStrategy }).fastPut('a', 'new'))
        const again = reader.reconnected()
        reader.cut()
        await again
        assert.equal(await read(), 'new')
        assert.equal(await read(), 'new')
      },
    },
    {
      name: `near-own-change-lost-${syncStrategy}`,
      promise: `A local cached map with ${syncStrategy} keeps nothing of a change whose reply was lost`,
      run: async (stage) => {
        const [mine, other] = await two(stage)
        await mine.run((client) => mapOf(client, { syncStrategy }).fastPut('a', 'old'))
        assert.equal(await mine.run((client) => mapOf(client, { syncStrategy }).get('a')), 'old')
        void mine.loseReply({ with: 'prices' }, 100)
        await mine.run((client) => mapOf(client, { syncStrategy }).put('a', 'new')).catch(() => undefined)
        await stage.sleep(1_000)
        const there = await other.run((client) => mapOf(client, { syncStrategy }).get('a'))
        assert.equal(await mine.run((client) => mapOf(client, { syncStrategy }).get('a')), there)
      },
    },
  ]),
]

function two(stage: Stage): Promise<[Process, Process]> {
  return Promise.all([stage.process('one'), stage.process('other')])
}

function cacheOf(client: RedissonClient): RCache<string> {
  return client.getCache<string>('prices', { ttlMs: 600_000, tags: ['all'] })
}

function load(process: Process, value: string, loads: string[]): Promise<string> {
  return process.run((client) =>
    cacheOf(client).getOrLoad('a', async () => {
      loads.push(value)
      await new Promise((resolve) => setTimeout(resolve, LOAD_MS))
      return value
    }),
  )
}

async function removeBy(cache: RCache<string>, way: 'delete' | 'deleteTag' | 'clear'): Promise<void> {
  if (way === 'delete') await cache.delete('a')
  else if (way === 'deleteTag') await cache.deleteTag('all')
  else await cache.clear()
}

const maps = new WeakMap<RedissonClient, RLocalCachedMap<string, string>>()

/** That of a process, which keeps what it has read. */
function mapOf(
  client: RedissonClient,
  options: LocalCachedMapOptions<string, string>,
): RLocalCachedMap<string, string> {
  const map = maps.get(client) ?? client.getLocalCachedMap<string, string>('prices', options)
  maps.set(client, map)
  return map
}
