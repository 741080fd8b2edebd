// Snowflakes: ids that sort by time, made without a round trip, and never twice among all processes.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const ids = client.getSnowflake('examples:orders')

const first = await ids.nextId()
const later = await ids.nextIds(10_000)
console.log(`rising: ${later.every((id) => id > first)}, different: ${new Set(later).size}`)

const { time, node, sequence } = ids.partsOf(first)
console.log(`node ${node}, number ${sequence} of its millisecond`)
console.log(`made less than a minute ago: ${Date.now() - time.getTime() < 60_000}`)

await ids.delete()
await client.shutdown()
