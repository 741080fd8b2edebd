// A job that three processes have in their schedules, each by a clock of its own, runs once for every time.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'

const address = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'

// Three clients stand for three processes.
const clients = await Promise.all([0, 1, 2].map(() => Redisson.create({ singleServerConfig: { address } })))

for (const fire of [1, 2, 3].map((day) => new Date(Date.UTC(2027, 0, day, 3)))) {
  const outcomes = clients.map(async (client, index) => {
    await sleep(index * 20) // its clock is late
    const report = client.getOnce('examples:report', { ttlMs: 5_000 })
    const { ran } = await report.run(() => console.log('report of', fire.toISOString().slice(0, 10)), {
      fire,
    })
    return ran
  })
  const ran = (await Promise.all(outcomes)).filter(Boolean).length
  console.log('processes that ran it:', ran)
}

// With `retry: 'onError'` the next call may run it when the function has thrown.
const [first, second] = clients.map((client) => client.getOnce('examples:import', { ttlMs: 5_000 }))
const options = { fire: 'monday', retry: 'onError' } as const
const failing = first?.run(() => Promise.reject(new Error('no file yet')), options)
await failing?.catch((error: unknown) => console.log('failed:', (error as Error).message))
console.log('then:', await second?.run(() => 'imported', options))

await Promise.all(clients.map((client) => client.shutdown()))
