// Client-side caching: settings that a process reads without asking Redis, until anyone changes them.
import { setTimeout } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const here = await Redisson.create(url)
const there = await Redisson.create(url)
const cached = here.getClientSideCaching({ cacheSize: 10_000, evictionPolicy: 'LRU' })
const settings = cached.getBucket<{ theme: string }>('examples:settings')

await settings.set({ theme: 'light' })
console.log(`theme: ${(await settings.get())?.theme}`)
console.log(`again, from memory: ${(await settings.get())?.theme}`)

// Redis reports the change of the other process, which knows nothing of this.
await there.getBucket('examples:settings').set({ theme: 'dark' })
while ((await settings.get())?.theme === 'light') await setTimeout(1)
console.log(`theme: ${(await settings.get())?.theme}`)

await settings.delete()
console.log(`deleted: ${(await settings.get()) === undefined}`)

await cached.destroy()
await Promise.all([here.shutdown(), there.shutdown()])
