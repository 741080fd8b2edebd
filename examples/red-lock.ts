// A red lock is held when a majority of independent servers has granted it. Here one server plays all five.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const members = [1, 2, 3, 4, 5].map((server) => client.getLock(`examples:red-lock:${server}`))
const lock = client.getRedLock(...members)

// Another owner has two of the five, which is no majority.
const others = await Promise.all(members.slice(0, 2).map((member) => member.acquire()))

await lock.withLock((hold) => {
  console.log(`a majority is held: ${hold.isHeld}`)
})

// With independent servers: await Redisson.createRedLock([clientOfOne, clientOfAnother, clientOfAThird], 'orders')
await Promise.all(others.map((hold) => hold.unlock()))
console.log(`locked afterwards: ${await members[4]?.isLocked()}`)
await client.shutdown()
