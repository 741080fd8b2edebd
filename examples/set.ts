// A set: each value once, for all processes together.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const seen = client.getSet<string>('{examples}:seen')
const blocked = client.getSet<string>('{examples}:blocked')

// Only the first call of all processes returns true: the value is new.
console.log(`new: ${await seen.add('10.0.0.1')}, again: ${await seen.add('10.0.0.1')}`)
console.log(`${await seen.addAllCounted(['10.0.0.1', '10.0.0.2', '10.0.0.3'])} more`)

// All or none.
console.log(`both: ${await blocked.tryAdd('10.0.0.2', '10.0.0.9')}`)

// Names with the same braces are in one slot of a cluster, so that Redis can compare them.
console.log(`blocked and seen: ${(await seen.readIntersection([blocked.name])).join()}`)
console.log(`left: ${(await seen.readDiff([blocked.name])).toSorted().join()}`)

let count = 0
for await (const address of seen) if (address.startsWith('10.')) count += 1
console.log(`walked through ${count}`)

await seen.delete()
await blocked.delete()
await client.shutdown()
