import type { Redis } from 'ioredis'
import type { Call } from '../../src/command/operation/operation.js'
import { filterConfig } from '../../src/core/context/names.js'
import { addAll, contains, tryInit } from '../../src/probabilistic/bloom-filter/bloom-filter.scripts.js'
import { filterSizeFor } from '../../src/probabilistic/bloom-filter/filter-size.js'
import { highwayHash128Words } from '../../src/util/hash/highway-hash.js'
import { scriptRunner } from './script-runner.js'
import type { BloomFilters } from './values.js'

type Keys = 'filter' | 'config'

const HASH_BYTES = 16

/** The scripts and the hash of this library, and nothing else of it. */
export function ownBloomFilters(redis: Redis): BloomFilters {
  const run = scriptRunner(redis)
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
