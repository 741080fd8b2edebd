// Numbers in their natural order, in the list that Redisson for Java keeps sorted.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const numbers = client.getSortedSet<number>('examples:numbers')

await numbers.addAll([10, 9, 100, -1.5])
console.log(`new: ${await numbers.add(7)}, again: ${await numbers.add(7)}`)
console.log(`from ${await numbers.first()} to ${await numbers.last()}`)

// Removes the lowest, for all processes together.
console.log(`the lowest: ${(await numbers.pollFirst(2)).join()}`)
for await (const number of numbers) console.log(number)

await numbers.delete()
await client.shutdown()
