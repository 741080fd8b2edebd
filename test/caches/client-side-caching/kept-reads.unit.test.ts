import { describe, expect, it } from 'vitest'
import { isKept, keptReadOf } from '../../../src/caches/client-side-caching/kept-reads.js'
import * as geo from '../../../src/collections/geo/geo.commands.js'
import * as list from '../../../src/collections/list/list.commands.js'
import * as listScripts from '../../../src/collections/list/list.scripts.js'
import * as map from '../../../src/collections/map/map.commands.js'
import * as mapScripts from '../../../src/collections/map/map.scripts.js'
import * as zset from '../../../src/collections/scored-sorted-set/scored-sorted-set.commands.js'
import * as zsetScripts from '../../../src/collections/scored-sorted-set/scored-sorted-set.scripts.js'
import * as set from '../../../src/collections/set/set.commands.js'
import * as setScripts from '../../../src/collections/set/set.scripts.js'
import { FROM_ANY_NODE, FROM_MASTER } from '../../../src/command/operation/command-executor.js'
import type { Operation } from '../../../src/command/operation/operation.js'
import * as expirable from '../../../src/core/redisson-expirable.scripts.js'
import * as object from '../../../src/core/redisson-object.scripts.js'
import * as bucket from '../../../src/objects/bucket/bucket.commands.js'
import * as stream from '../../../src/streams/stream/stream.commands.js'
import * as streamScripts from '../../../src/streams/stream/stream.scripts.js'

type AnyOperation = Operation<string, string, unknown>

const modules: readonly object[] = [
  ...[bucket, map, mapScripts, set, setScripts, list, listScripts, zset, zsetScripts],
  ...[geo, stream, streamScripts, object, expirable],
]

const operations = modules.flatMap((module) =>
  Object.values(module).filter((each): each is AnyOperation => typeof each === 'object' && 'repeat' in each),
)

/** What only reads and is not kept: pages, random elements, times, what waits, and what reads several keys. */
const NOT_KEPT = [
  ...['LCS', 'HRANDFIELD', 'HSCAN', 'map/contains-value', 'map/scan-keys'],
  ...['SRANDMEMBER', 'SUNION', 'SDIFF', 'SINTER', 'SINTERCARD', 'SSCAN'],
  ...['ZRANDMEMBER', 'ZUNION', 'ZINTER', 'ZDIFF', 'ZINTERCARD', 'ZSCAN'],
  ...['XREAD', 'XPENDING', 'XINFO STREAM', 'XINFO GROUPS', 'XINFO CONSUMERS', 'stream/pending-range'],
  ...['object/size', 'object/dump', 'object/idle-time', 'object/expiry'],
]

describe('the reads that are kept', () => {
  it('are decided for each operation that only reads', () => {
    const reads = operations.filter(({ repeat }) => repeat === 'safe')
    expect(reads.length).toBeGreaterThan(50)
    const others = new Set(reads.filter((each) => !isKept(each)).map(({ name }) => name))
    expect([...others].sort()).toEqual([...NOT_KEPT].sort())
  })

  it('are none that change something', () => {
    expect(operations.filter((each) => each.repeat !== 'safe' && isKept(each))).toEqual([])
  })

  it('are those of one key, which nothing is written by', () => {
    const call = { keys: { bucket: 'b' }, args: {} }
    expect(keptReadOf(bucket.get, call, FROM_ANY_NODE)?.key).toBe('b')
    expect(keptReadOf(bucket.get, call, FROM_MASTER)).toBeUndefined()
    expect(keptReadOf(bucket.get, call, {})).toBeUndefined()
    expect(keptReadOf(bucket.get, call, { ...FROM_ANY_NODE, dependsOn: ['other'] })).toBeUndefined()
    expect(
      keptReadOf(bucket.get, { ...call, keys: { bucket: Buffer.of(255) } }, FROM_ANY_NODE),
    ).toBeUndefined()
    const exists = (others: readonly string[]) =>
      keptReadOf(object.exists, { keys: { object: 'o', others }, args: { kind: '' } }, FROM_ANY_NODE)
    expect(exists([])?.key).toBe('o')
    expect(exists(['p'])).toBeUndefined()
  })

  it('are distinguished by all that is sent', () => {
    const get = (key: string, ...fields: readonly (string | Buffer)[]) =>
      keptReadOf(map.getAll, { keys: { map: key }, args: { fields } }, FROM_ANY_NODE)?.id
    const ids = [
      get('m', 'a', 'b'),
      get('m', 'ab'),
      get('m', '1:b'),
      get('ma', 'b'),
      get('m', Buffer.of(255)),
      get('m', 'ÿ'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    expect(get('m', 'a')).toBe(get('m', Buffer.from('a')))
  })
})
