import type { Redis } from 'ioredis'
import type { Call } from '../../src/command/operation/operation.js'
import { argumentsOf, type Script } from '../../src/command/operation/script.js'
import { filterConfig } from '../../src/core/context/names.js'
import { addAll, contains, tryInit } from '../../src/probabilistic/bloom-filter/bloom-filter.scripts.js'
import { filterSizeFor } from '../../src/probabilistic/bloom-filter/filter-size.js'
import { highwayHash128Words } from '../../src/util/hash/highway-hash.js'
import type { BloomFilters } from './values.js'

type Keys = 'filter' | 'config'

const HASH_BYTES = 16

/** The scripts and the hash of this library, driven by ioredis and nothing else: what the library adds to them is its own time. */
export function ownBloomFilters(redis: Redis): BloomFilters {
  const loaded = new Map<string, Promise<unknown>>()
  const run = async <A extends string>(
    script: Script<Keys, A, unknown>,
    call: Call<Keys, A>,
  ): Promise<unknown> => {
    const loading = loaded.get(script.sha) ?? redis.script('LOAD', script.source)
    loaded.set(script.sha, loading)
    await loading
    const [sha = '', count = 0, ...values] = argumentsOf(script.sha, script, call, 'publish')
    return redis.evalsha(String(sha), Number(count), ...values)
  }
  return {
    tryInit: (name, insertions, probability) => {
      const { bits, iterations } = filterSizeFor(insertions, probability)
      const args = { size: bits, iterations, insertions, probability }
      return run(tryInit, { keys: keysOf(name), args })
    },
    addAll: async (name, ids) => (await run(addAll, callOf(name, ids))) as number,
    countContained: async (name, ids) =>
      ((await run(contains, callOf(name, ids))) as number[]).filter(Boolean).length,
  }
}

function keysOf(name: string): Record<Keys, string> {
  return { filter: name, config: filterConfig(name) }
}

function callOf(name: string, ids: readonly string[]): Call<Keys, 'hashes'> {
  return { keys: keysOf(name), args: { hashes: hashesOf(ids) } }
}

function hashesOf(ids: readonly string[]): Buffer {
  const hashes = Buffer.allocUnsafe(ids.length * HASH_BYTES)
  let at = 0
  for (const id of ids)
    for (const word of highwayHash128Words(Buffer.from(JSON.stringify(id))))
      at = hashes.writeInt32BE(word, at)
  return hashes
}
