// Code ported from Java locks step by step and re-enters. It needs a thread; `runAsThread` makes one.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getLock('examples:run-as-thread')

async function outer(): Promise<void> {
  await lock.lock()
  try {
    console.log(`outer holds ${await lock.getHoldCount()}`)
    await inner()
    console.log(`outer still holds ${await lock.getHoldCount()}`)
  } finally {
    await lock.unlock()
  }
}

async function inner(): Promise<void> {
  await lock.lock() // the same thread, so it enters again
  try {
    console.log(`inner holds ${await lock.getHoldCount()}`)
  } finally {
    await lock.unlock()
  }
}

await client.runAsThread(outer)
console.log(`locked afterwards: ${await lock.isLocked()}`)

await client.shutdown()
