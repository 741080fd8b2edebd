// A spin lock polls, for servers that may not send messages.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const backoff = { type: 'exponential', initialDelayMs: 5, maxDelayMs: 40, multiplier: 2 } as const
const lock = client.getSpinLock('examples:spin-lock', { backoff })

const hold = await lock.acquire()
const next = lock.withLock(() => 'it was given back')
setTimeout(() => void hold.unlock(), 50)

console.log(await next)
await client.shutdown()
