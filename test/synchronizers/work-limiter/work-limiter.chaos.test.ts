import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { startSingle } from '../../support/servers.js'

const WATCHDOG_MS = 900

describe('a work limiter whose server is started again', () => {
  let server: SingleTopology
  let clients: RedissonClient[]

  beforeAll(async () => {
    server = await startSingle()
    const settings = { ...server.options({}), lockWatchdogTimeout: WATCHDOG_MS }
    clients = await Promise.all([0, 1, 2].map(() => Redisson.create(settings)))
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await server.stop()
  })

  it('runs all functions, and aborts the signals of those whose places are gone', async () => {
    const limiters = clients.map((client) =>
      client.getWorkLimiter('restarted', { concurrency: 3, rate: { limit: 100, perMs: 1000 } }),
    )
    let done = 0
    let aborted = 0
    const work = async ({ signal }: { readonly signal: AbortSignal }) => {
      await sleep(signal.aborted ? 0 : 120, undefined, { signal }).catch(() => {
        aborted += 1
      })
      done += 1
    }
    const all = Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 40 }, () => limiter.run(work))),
    )
    for (const reached of [20, 50, 80]) {
      await eventually(() => done >= reached)
      await server.nodes[0].kill()
      await sleep(WATCHDOG_MS)
      await server.nodes[0].restart()
    }
    await all
    expect(done).toBe(120)
    expect(aborted).toBeLessThanOrEqual(3 * 9)
    await eventually(async () => {
      expect(await limiters[0]?.counts()).toEqual({ running: 0, waitingProcesses: 0, queued: 0 })
    })
  })
})
