// Ten lines to a first lock. Run it in two terminals: one waits for the other.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getLock('examples:first-lock')

await lock.lock()
try {
  console.log('no other owner holds the lock')
} finally {
  await lock.unlock()
}
await client.shutdown()
