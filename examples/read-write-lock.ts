// Many may read at a time, or one may write.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const prices = client.getReadWriteLock('examples:read-write-lock')

// Two readers meet: each waits until the other holds its lock as well.
const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
const read = async (me: typeof first, other: typeof first) => {
  await prices.readLock().withLock(() => {
    me.resolve()
    return other.promise
  })
}
await Promise.all([read(first, second), read(second, first)])
console.log('two have read together')

await prices.writeLock().withLock(async () => {
  console.log(`a reader during a write: ${(await prices.readLock().tryAcquire()) !== undefined}`)

  // A writer may read as well.
  await prices.readLock().withLock(() => {
    console.log('the writer reads what it has written')
  })
})

// A reader cannot become a writer.
await prices.readLock().withLock(async () => {
  console.log(`a writer during a read: ${await prices.writeLock().tryLock()}`)
})

await client.shutdown()
