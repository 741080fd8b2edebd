// A local cached map cache: sessions that two processes read without asking Redis, until they expire or change.
import { setTimeout } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const here = await Redisson.create(url)
const there = await Redisson.create(url)
const options = { cacheSize: 1_000, evictionPolicy: 'LRU' } as const
const sessions = here.getLocalCachedMapCache<string, string>('examples:local-sessions', options)
const others = there.getLocalCachedMapCache<string, string>('examples:local-sessions', options)

await sessions.putAll({ s1: 'Ada', s2: 'Alan' }, { ttlMs: 3_600_000, maxIdleMs: 600_000 })
await Promise.all([sessions.preloadCache(), others.preloadCache()])
console.log(`s1: ${await others.get('s1')}`)
console.log(`kept there: ${(await others.cachedKeySet()).toSorted().join()}`)

// The other process receives a message, and reads the session again.
await sessions.put('s1', 'Grace', { ttlMs: 3_600_000 })
while ((await others.get('s1')) === 'Ada') await setTimeout(1)
console.log(`s1: ${await others.get('s1')}`)

// An entry ends here when it ends in Redis.
await sessions.put('s2', 'Alan', { ttlMs: 20 })
while (await sessions.containsKey('s2')) await setTimeout(1)
console.log(`s2 is over: ${(await others.get('s2')) === undefined}`)

await sessions.delete()
await Promise.all([sessions.destroy(), others.destroy()])
await Promise.all([here.shutdown(), there.shutdown()])
