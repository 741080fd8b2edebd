// A Bloom filter: has this been seen before? In ten bits for each value.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const seen = client.getBloomFilter<string>('{examples}:seen-mails')

// The first process decides on the size. It is wrong about one unseen value in a thousand once there are 100 000.
await seen.tryInit(100_000, 0.001)
console.log(`${await seen.getSize()} bits, ${await seen.getHashIterations()} for each value`)

console.log(`new: ${await seen.add('ada@example.org')}, again: ${await seen.add('ada@example.org')}`)

// A thousand values in one round trip.
const mails = Array.from({ length: 1_000 }, (_, n) => `user${n}@example.org`)
await seen.addAll(mails)
console.log(`all were seen: ${(await seen.countContained(mails)) === 1_000}`)
console.log(`seen: ${(await seen.exists(['user7@example.org', 'alan@example.org'])).join()}`)

await seen.delete()
await client.shutdown()
