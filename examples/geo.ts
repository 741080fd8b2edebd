// A geo: the couriers that are near, shared by all processes.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const couriers = client.getGeo<string>('{examples}:couriers')

await couriers.add(
  { longitude: 13.37, latitude: 52.51, member: 'Ada' },
  { longitude: 13.45, latitude: 52.51, member: 'Bob' },
  { longitude: 13.06, latitude: 52.4, member: 'Eve' },
)

const customer = { longitude: 13.38, latitude: 52.52 }
const near = await couriers.searchWithDistance({ from: customer, radius: 10, unit: 'km', order: 'ASC' })
for (const [courier, km] of near) console.log(`${courier} is ${km.toFixed(1)} km away`)

// Only one that is there is moved.
console.log(`Eve rides: ${await couriers.addIfExists(13.39, 52.52, 'Eve')}`)
console.log(
  `nearest: ${(await couriers.search({ from: customer, radius: 10, unit: 'km', count: 1 })).join()}`,
)
console.log(`from Eve to Bob: ${(await couriers.dist('Eve', 'Bob', 'km'))?.toFixed(1)} km`)

// Names with the same braces are in one slot of a cluster.
const stored = client.getScoredSortedSet<string>('{examples}:distances')
await couriers.storeSortedSearchTo(stored.name, { from: customer, radius: 10, unit: 'km' })
console.log(`in order: ${(await stored.readAll()).join()}`)

for (const each of [couriers, stored]) await each.delete()
await client.shutdown()
