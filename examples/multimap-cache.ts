// A multimap cache: the carts of a shop, each of which is dropped if its owner is away for long.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const carts = client.getListMultimapCache<string, string>('{examples}:carts')

await carts.putAll('ada', ['tea', 'milk'])
console.log(`ends: ${await carts.expireKey('ada', 1_000)}`)
console.log(`ends: ${await carts.expireKey('alan', 1_000)}`)

// What is put later ends with the rest of the key.
await carts.get('ada').add('sugar')
await carts.put('grace', 'coffee')
console.log(`ada: ${(await carts.getAll('ada')).join()}`)

await sleep(1_500)
console.log(`carts: ${(await carts.readAllKeySet()).join()}`)
console.log(`ada: ${await carts.get('ada').size()} values`)

await carts.delete()
await client.shutdown()
