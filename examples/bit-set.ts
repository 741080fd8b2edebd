// A bit set: who was there, in one bit for each id, and small integers side by side.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const monday = client.getBitSet('{examples}:visits:monday')
const tuesday = client.getBitSet('{examples}:visits:tuesday')

await monday.setAll([3, 70, 1_000_000])
await tuesday.setAll([70, 1_000_000, 1_000_001])
console.log(`monday: ${await monday.cardinality()}, of these 70: ${await monday.get(70)}`)

// Names with the same braces are in one slot of a cluster, so that Redis can combine them.
const both = client.getBitSet('{examples}:visits:both')
await both.or([monday.name])
await both.and([tuesday.name])
for await (const id of both) console.log(`on both days: ${id}`)

// Ten scores of 4 bits each, in 5 bytes. None goes above 15.
const scores = client.getBitSet('{examples}:scores')
for (const by of [9, 9]) await scores.bitField([{ increment: 'u4', offset: 7 * 4, by, overflow: 'SAT' }])
console.log(`score of player 7: ${await scores.getUnsigned(4, 7 * 4)}, bits in all: ${await scores.size()}`)

for (const each of [monday, tuesday, both, scores]) await each.delete()
await client.shutdown()
