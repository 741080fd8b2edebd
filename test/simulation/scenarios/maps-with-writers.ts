import assert from 'node:assert/strict'
import type { RedissonClient, RMap } from '../../../src/index.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const A_MINUTE_MS = 60_000
const AN_HOUR_MS = 3_600_000

/** A map that writes behind to a table, which all processes of the stage have in common. */
class Table {
  readonly rows = new Map<string, string>()

  mapOf(client: RedissonClient): RMap<string, string> {
    return client.getMap<string, string>('prices', {
      writeMode: 'WRITE_BEHIND',
      writer: {
        write: (entries) => entries.forEach((value, key) => this.rows.set(key, value)),
        delete: (keys) => keys.forEach((key) => this.rows.delete(key)),
      },
    })
  }
}

/** Has a process change the map, and end before it has written that. */
async function changeAndDie(stage: Stage, table: Table): Promise<void> {
  const dying = await stage.process('dying')
  await dying.run((client) => table.mapOf(client).put('a', '1'))
  dying.kill()
  assert.equal(stage.redis.command('HLEN', '{prices}:write-behind'), 1)
}

export const mapsWithWriters: readonly Scenario[] = [
  {
    name: 'written-behind-by-reader',
    promise:
      'A change that a killed process has noted is written behind by a process that only reads the map',
    run: async (stage) => {
      const table = new Table()
      await changeAndDie(stage, table)
      const reader = await stage.process('reader')
      const map = await reader.run((client) => table.mapOf(client))
      await stage.sleep(A_MINUTE_MS)
      assert.equal(table.rows.size, 0, 'a map that is not used sends nothing')
      assert.equal(await reader.run(() => map.get('a')), '1')
      await stage.until(() => table.rows.get('a') === '1', 'it is written')
      assert.equal(stage.redis.command('HLEN', '{prices}:write-behind'), 0)
    },
  },
  {
    name: 'written-behind-by-later-read',
    promise:
      'A change of a process that is killed later is written behind by a process that goes on reading the map',
    run: async (stage) => {
      const table = new Table()
      const reader = await stage.process('reader')
      await reader.run((client) => table.mapOf(client).get('a'))
      await stage.sleep(A_MINUTE_MS)
      await changeAndDie(stage, table)
      await reader.run((client) => table.mapOf(client).get('a'))
      await stage.until(() => table.rows.get('a') === '1', 'it is written')
    },
  },
  {
    name: 'written-behind-although-set-back',
    promise: 'A change that was noted before the clock of Redis was set back is written behind soon',
    run: async (stage) => {
      const table = new Table()
      const mine = await stage.process('mine')
      await mine.run((client) => table.mapOf(client).put('a', '1'))
      stage.redis.stepClock(-AN_HOUR_MS)
      await mine.run((client) => table.mapOf(client).put('a', '2'))
      await stage.until(() => table.rows.get('a') === '2', 'it is written', A_MINUTE_MS)
    },
  },
  {
    name: 'written-behind-although-claimed-before-set-back',
    promise:
      'A change that a killed process has claimed is written behind soon, although the clock of Redis was set back',
    run: async (stage) => {
      const table = new Table()
      const [dying, other] = await Promise.all([stage.process('dying'), stage.process('other')])
      await dying.run((client) => table.mapOf(client).put('a', '1'))
      await dying.loseReply({ with: '{prices}:write-behind-tokens' }, A_MINUTE_MS)
      await stage.until(() => stage.has('{prices}:write-behind-claimed'), 'it is claimed')
      dying.kill()
      stage.redis.stepClock(-AN_HOUR_MS)
      await other.run((client) => table.mapOf(client).get('a'))
      await stage.until(() => table.rows.get('a') === '1', 'it is written', 2 * A_MINUTE_MS)
    },
  },
  {
    name: 'written-behind-not-during-shutdown',
    promise: 'A process that only reads a map writes nothing behind once its shutdown has begun',
    run: async (stage) => {
      const table = new Table()
      await changeAndDie(stage, table)
      const reader = await stage.process('reader')
      await reader.run((client) => client.getLock('held').acquire())
      await reader.run((client) => table.mapOf(client).get('a'))
      await reader.run((client) => client.shutdown({ drainMs: 10_000 }))
      await stage.sleep(A_MINUTE_MS)
      assert.equal(table.rows.size, 0)
    },
  },
]
