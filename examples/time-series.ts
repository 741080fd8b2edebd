// A time series: what sensors have measured, shared by all processes. Each entry ends by itself.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const degrees = client.getTimeSeries<number, string>('examples:degrees')
const noon = Date.UTC(2027, 0, 1, 12)
const minutes = (count: number) => noon + count * 60_000

await degrees.add(minutes(0), 20.5, { label: 'kitchen', ttlMs: 86_400_000 })
await degrees.addAll(
  [1, 2, 3].map((minute) => ({ timestamp: minutes(minute), value: 20.5 + minute, label: 'kitchen' })),
  { ttlMs: 86_400_000 },
)
await degrees.add(new Date(minutes(4)), 19)

console.log(`${await degrees.size()} values, the last: ${await degrees.last()}`)
console.log(`from 12:01 to 12:03: ${(await degrees.range(minutes(1), minutes(3))).join()}`)
for (const { timestamp, value, label } of await degrees.entryRangeReversed(minutes(3), Infinity))
  console.log(`${new Date(timestamp).toISOString()} ${value} ${label ?? 'somewhere'}`)

// Each value is taken by one process only.
console.log(`taken: ${(await degrees.pollFirst(2)).join()}`)
console.log(`removed: ${await degrees.removeRange(-Infinity, minutes(3))}`)
for await (const value of degrees) console.log(`left: ${value}`)

await degrees.delete()
await client.shutdown()
