// A HyperLogLog: about how many different values there were, in at most 12 kB.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const monday = client.getHyperLogLog<string>('{examples}:visitors:monday')
const tuesday = client.getHyperLogLog<string>('{examples}:visitors:tuesday')

await monday.addAll(['ada', 'bob', 'ada'])
await tuesday.addAll(['bob', 'eve'])
console.log(`monday: ${await monday.count()}, tuesday: ${await tuesday.count()}`)

// Names with the same braces are in one slot of a cluster, so that Redis can count them together.
console.log(`both days: ${await monday.countWith([tuesday.name])}`)

const week = client.getHyperLogLog<string>('{examples}:visitors:week')
await week.mergeWith([monday.name, tuesday.name])
console.log(`week: ${await week.count()}`)

for (const each of [monday, tuesday, week]) await each.delete()
await client.shutdown()
