import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'
import { tell } from '../../test/support/child-side.js'
import { queues } from './queues.js'
import { names, WATCHDOG_MS, type WorkerSettings } from './settings.js'

/** How long a worker needs for an order. */
const WORK_MS = 80

// A worker: a process of its own that ships one order after the other, until it is killed.
const { queue, redis, doomedAfterMs } = JSON.parse(process.argv[2] ?? '') as WorkerSettings
const client = await Redisson.create({
  singleServerConfig: { address: `redis://${redis.host}:${String(redis.port)}` },
  lockWatchdogTimeout: WATCHDOG_MS,
})
const shipped = client.getSet<string>(names.shipped)
const startedAt = performance.now()
tell('ready')

for await (const { order, isAgain, done } of queues[queue].take(client)) {
  if (isAgain) tell('again')
  if (performance.now() - startedAt >= doomedAfterMs) {
    tell('doomed')
    await new Promise(() => {}) // until it is killed, with the order in its hands
  }
  await sleep(WORK_MS)
  // An order that was shipped before is recognized by its number.
  tell((await shipped.add(order)) ? 'shipped' : 'twice')
  await done()
}
