import type { Redis } from 'ioredis'

/** What is left of clients at one server: the keys that have the id of one in their name, or in what they hold. */
export async function remainsAt(redis: Redis, clientIds: readonly string[]): Promise<string[]> {
  const keys = await redis.keys('*')
  const found = await Promise.all(
    keys.map(async (key) => {
      const words = [key, ...(await wordsIn(redis, key))]
      return words.some((word) => clientIds.some((id) => word.includes(id))) ? [key] : []
    }),
  )
  return found.flat()
}

async function wordsIn(redis: Redis, key: string): Promise<readonly string[]> {
  switch (await redis.type(key)) {
    case 'hash':
      return Object.entries(await redis.hgetall(key)).flat()
    case 'list':
      return await redis.lrange(key, 0, -1)
    case 'zset':
      return await redis.zrange(key, '0', '-1')
    case 'set':
      return await redis.smembers(key)
    case 'string':
      return [(await redis.get(key)) ?? '']
    default:
      return [] // gone meanwhile
  }
}
