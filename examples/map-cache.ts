// A map cache: sessions shared by all processes, which expire if they are not used, and of which only the newest are kept.
import { EventEmitter, once } from 'node:events'
import { Redisson, type MapCacheEvent } from 'ioredisson'

interface Session {
  readonly user: string
}

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const sessions = client.getMapCache<string, Session>('examples:sessions')
await sessions.setMaxSize(2)

const events = new EventEmitter()
const removed = once(events, 'removed')
const subscription = await sessions.addListener('entryRemoved', (event) => events.emit('removed', event))

const life = { ttlMs: 86_400_000, maxIdleMs: 1_800_000 }
console.log(`new: ${await sessions.fastPut('s1', { user: 'Ada' }, life)}`)
console.log(`absent: ${(await sessions.putIfAbsent('s2', { user: 'Alan' }, life)) === undefined}`)
console.log(`user: ${(await sessions.get('s1'))?.user}`)

// There is no room for three: the one that was not used for the longest time goes.
await sessions.put('s3', { user: 'Grace' }, life)
const [{ key, value }] = (await removed) as [MapCacheEvent<string, Session>]
console.log(`removed: ${key} of ${value.user}`)
console.log(`left: ${(await sessions.readAllKeySet()).toSorted().join()}`)

console.log(`ends: ${(await sessions.remainTimeToLive('s1')) > 0}`)
await sessions.put('s1', { user: 'Ada' })
console.log(`ends: ${(await sessions.remainTimeToLive('s1')) > 0}`)

await subscription.unsubscribe()
await sessions.delete()
await client.shutdown()
