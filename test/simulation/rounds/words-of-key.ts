import type { SimulatedRedis } from './simulated-redis.js'

/** How to read all that a key holds, by its type. */
const READS: Readonly<Record<string, (key: string) => readonly (string | number)[]>> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  list: (key) => ['LRANGE', key, 0, -1],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, 0, -1],
}

/** All that a key holds. */
export function wordsOfKey(redis: SimulatedRedis, key: string): readonly string[] {
  const type = redis.command('TYPE', key) as { readonly text: string }
  const read = READS[type.text]
  return read === undefined ? [] : [redis.command(...read(key))].flat().map(String)
}
