// `withLock` takes the lock, runs a function, and releases the lock, whether the function succeeds or fails.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getLock('examples:with-lock')

let balance = 0

/** Takes the lock itself, so it is safe to call from anywhere. */
async function deposit(amount: number): Promise<void> {
  await lock.withLock(async () => {
    const before = balance
    await new Promise((resolve) => setTimeout(resolve, 5)) // as a database would take its time
    balance = before + amount
  })
}

// Three at once, one holder at a time.
await Promise.all([deposit(10), deposit(20), deposit(30)])
console.log(`balance ${balance}`)

// Inside, the same lock is entered again, also by functions that do not know the outer hold.
await lock.withLock(async (hold) => {
  await deposit(40)
  console.log(`balance ${balance}, still held: ${hold.isHeld}`)
})
console.log(`locked afterwards: ${await lock.isLocked()}`)

await client.shutdown()
