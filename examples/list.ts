// A list: values in an order, by index.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const steps = client.getList<string>('examples:list')

await steps.addAll(['wake', 'work', 'sleep'])
await steps.add(1, 'eat')
for await (const step of steps) console.log(step)

console.log(`first: ${await steps.get(0)}, last: ${await steps.get(-1)}`)
console.log(`before: ${await steps.set(2, 'walk')}`)
console.log(`removed: ${await steps.removeAt(1)}`)
console.log(`left: ${(await steps.readAll()).join(', ')}`)

await steps.delete()
await client.shutdown()
