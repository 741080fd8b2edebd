// Several locks as one: all of them, or none.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const balances = new Map([
  ['anna', 100],
  ['ben', 100],
])

async function transfer(from: string, to: string, amount: number): Promise<void> {
  const [one, other] = [from, to].map((name) => client.getLock(`examples:multi-lock:${name}`))
  if (one === undefined || other === undefined) return
  // Two transfers in opposite directions do not wait for each other: the locks are always taken in the same order.
  await client.getMultiLock(one, other).withLock(() => {
    balances.set(from, (balances.get(from) ?? 0) - amount)
    balances.set(to, (balances.get(to) ?? 0) + amount)
  })
}

await Promise.all([transfer('anna', 'ben', 30), transfer('ben', 'anna', 50), transfer('anna', 'ben', 10)])
console.log(`anna ${balances.get('anna')}, ben ${balances.get('ben')}`)

// Values of one group are one key and one request.
const seats = client.getMultiLock('examples:multi-lock:seats', ['12a', '12b'])
const reserved = await seats.acquire()
const overlapping = client.getMultiLock('examples:multi-lock:seats', ['12b', '12c'])
console.log(`a seat is taken: ${!(await overlapping.tryLock())}`)
await reserved.unlock()
await client.shutdown()
