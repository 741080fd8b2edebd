// Several maps at once: users that are replaced as a whole, and an import of many of them.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const name = (id: number) => `examples:user:${id}`
const users = client.getMaps<'name' | 'town', string>()

await users.set({
  [name(1)]: { name: 'Ada', town: 'London' },
  [name(2)]: { name: 'Alan' },
})
console.log(`town: ${await client.getMap<string, string>(name(1)).get('town')}`)

// What a map had before is gone.
await users.set({ [name(1)]: { name: 'Ada' } })
console.log(`town: ${await client.getMap<string, string>(name(1)).get('town')}`)

// One part at a time: a million of them need not fit into memory together.
const adding = users.createImport({ fields: ['name', 'town'], batchSize: 2 })
for (const id of [3, 4, 5]) await adding.add(name(id), [`user ${id}`, 'Paris'])
console.log(`written: ${adding.importedCount}`)
await adding[Symbol.asyncDispose]()
console.log(`written: ${adding.importedCount}`)
console.log(`name: ${await client.getMap<string, string>(name(5)).get('name')}`)

await client.getKeys().delete(...[1, 2, 3, 4, 5].map(name))
await client.shutdown()
