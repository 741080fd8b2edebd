// A fair lock serves its waiters in the order of their requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getFairLock('examples:fair-lock')

const holder = await lock.acquire()

const visit = (name: string) =>
  lock.withLock(() => {
    console.log(`${name} is served`)
  })

const visits: Promise<void>[] = []
for (const name of ['the first', 'the second', 'the third']) {
  visits.push(visit(name))
  await sleep(20)
}

// This one gives up, and no other waiter loses its place.
console.log(`in a hurry: ${await lock.tryLock(500)}`)

await holder.unlock()
await Promise.all(visits)

await client.shutdown()
