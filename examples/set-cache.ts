// A set cache: seats that are reserved for a while, all of them or none.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const seats = client.getSetCache<string>('examples:seats')

const brief = { ttlMs: 1_000 }
console.log(`reserved: ${await seats.tryAddAll(['A1', 'A2'], brief)}`)
console.log(`reserved: ${await seats.tryAddAll(['A2', 'A3'], brief)}`)
console.log(`seats: ${(await seats.readAll()).toSorted().join()}`)

// A customer who pays in time keeps the seat for longer.
console.log(`longer: ${await seats.addIfGreater('A1', { ttlMs: 86_400_000 })}`)

// The other one is free by itself.
await sleep(1_500)
console.log(`seats: ${(await seats.readAll()).join()}`)
console.log(`reserved: ${await seats.tryAddAll(['A2', 'A3'], brief)}`)

await seats.delete()
await client.shutdown()
