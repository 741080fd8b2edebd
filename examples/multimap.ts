// Multimaps: several values for each key, each of them once or in an order.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const roles = client.getSetMultimap<string, string>('{examples}:roles')
const visits = client.getListMultimap<string, string>('{examples}:visits')

console.log(`new: ${await roles.put('ada', 'admin')}, again: ${await roles.put('ada', 'admin')}`)
await roles.putAll('grace', ['admin', 'author'])
console.log(`people: ${await roles.keySize()}, roles: ${await roles.size()}`)

// The values of one key are a set. When the last of them goes, so does the key.
const ofAda = roles.get('ada')
await ofAda.remove('admin')
console.log(`is ada there: ${await roles.containsKey('ada')}`)

// In a list multimap they are a list.
await visits.putAll('ada', ['/home', '/cart', '/home'])
console.log(`first: ${await visits.get('ada').get(0)}, all: ${(await visits.getAll('ada')).join()}`)

for await (const [person, role] of roles.entries({ pattern: 'gr*' }))
  if (role === 'author') console.log(`${person} writes`)

await roles.delete()
await visits.delete()
await client.shutdown()
