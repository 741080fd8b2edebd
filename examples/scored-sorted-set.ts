// A scored sorted set: values in the order of their scores, as a leaderboard and as a queue with priorities.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const players = client.getScoredSortedSet<string>('examples:players')
const urgent = client.getScoredSortedSet<string>('{examples}:urgent')
const later = client.getScoredSortedSet<string>('{examples}:later')

await players.addAll({ Ada: 120, Alan: 95, Grace: 140 })
console.log(`Alan: ${await players.addScore('Alan', 30)}`)
for (const [name, score] of await players.entryRangeReversed(0, 1)) console.log(`${name} ${score}`)
console.log(`above 130: ${(await players.valueRange({ min: 130 })).join()}`)

// The lowest score comes first. A call that waits holds no connection.
const next = urgent.pollFirstFromAny([later.name], { waitMs: 10_000 })
await later.addAll({ 'water the plants': 2, 'make tea': 1 })
console.log(`first: ${await next}`)
await urgent.add(9, 'put out the fire')
console.log(`then: ${await urgent.pollFirstFromAny([later.name])}`)
console.log(`left: ${await later.takeFirst()}`)

await players.delete()
await client.shutdown()
