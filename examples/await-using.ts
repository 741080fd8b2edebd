// `acquire` returns a hold: release it with its `unlock()`, or with `await using`.
// Node 24 reads `await using` as it is; for Node 22 let your compiler translate it.
import { Redisson } from 'ioredisson'

await using client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getLock('examples:await-using')

{
  await using hold = await lock.acquire()
  console.log(`inside: ${hold.isHeld}`)
} // released here, also when the block is left by an error
console.log(`locked afterwards: ${await lock.isLocked()}`)

// A hold is its own owner, so it may be released from anywhere: here from a timer.
const hold = await lock.acquire()
setTimeout(() => void hold.unlock(), 20)

// The next caller waits for that.
await using next = await lock.acquire()
console.log(`the timer gave it back: ${!hold.isHeld && next.isHeld}`)
