// Texts in order: the words of a completion, shared by all processes.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const words = client.getLexSortedSet('examples:words')

await words.addAll(['redis', 'red', 'reduce', 'blue', 'green'])
console.log(`new: ${await words.add('reed')}, again: ${await words.add('reed')}`)

/** The first words that begin with a text. */
const complete = (text: string) => words.range({ from: text, to: `${text}\u{10ffff}`, count: 3 })

console.log(`re: ${(await complete('re')).join()}`)
console.log(`red: ${(await complete('red')).join()}`)
console.log(`from h on: ${await words.countTail({ from: 'h' })}`)

const removed = await words.removeRangeHead({ to: 'h' })
console.log(`${removed} removed`)
for await (const word of words) console.log(word)

await words.delete()
await client.shutdown()
