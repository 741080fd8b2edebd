// A rate limiter: a number of permits per interval, for all processes together.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const limiter = client.getRateLimiter('examples:rate')
await limiter.trySetRate('OVERALL', 3, 400)

/** What an HTTP server would respond. */
async function serve(): Promise<string> {
  const { allowed, remaining, retryAfterMs } = await limiter.attempt()
  return allowed ? `200, ${remaining} left` : `429, retry soon: ${retryAfterMs > 0 && retryAfterMs <= 400}`
}

for (let request = 0; request < 4; request += 1) console.log(await serve())

// A worker has time: it waits until it may.
await limiter.acquire()
console.log('went on')

await limiter.delete()
await client.shutdown()
