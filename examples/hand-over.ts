// One process takes a lock, another releases it: the owner is a text that can be sent along with a job.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getLock('examples:hand-over')
const [owner] = process.argv.slice(2)

if (owner === undefined) {
  // A chosen thread id, and a lease: from here on this process does not renew the lock.
  await lock.lock({ threadId: 1, leaseMs: 60_000 })
  console.log(`taken: ${await lock.isHeldByThread(1)}`)

  const worker = fork(import.meta.filename, [`${client.id}:1`]) // this file again, with the owner
  await once(worker, 'exit')
  console.log(`locked afterwards: ${await lock.isLocked()}`)
} else {
  console.log(`the worker knows the owner: ${await lock.isHeldByThread(owner)}`)
  await lock.unlock({ threadId: owner })
}

await client.shutdown()
