// Limits for each of many users, for all processes together: some requests at once, and then evenly.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const limiter = client.getRateLimiter('examples:gcra', {
  algorithm: 'gcra',
  limit: 5, // one each 200 ms
  perMs: 1_000,
  burst: 2,
  onRedisDown: 'allow',
})

/** What an HTTP server would respond. */
async function serve(user: string): Promise<string> {
  const { allowed, remaining, retryAfterMs } = await limiter.consume(user)
  return allowed ? `${user}: 200, ${remaining} left` : `${user}: 429, retry soon: ${retryAfterMs <= 200}`
}

console.log((await Promise.all(['ada', 'ada', 'ada', 'alan'].map(serve))).join('\n'))

// A worker has time: it waits for its turn.
await limiter.acquire('ada')
console.log('went on')

await limiter.reset('ada')
await limiter.reset('alan')
await client.shutdown()
