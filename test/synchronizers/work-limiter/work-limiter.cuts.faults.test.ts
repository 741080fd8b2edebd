import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isRedissonError, Redisson, type Work } from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const SETTINGS = { timeout: 300, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

describe('a work limiter whose connections are cut again and again', () => {
  noLeaks(single)

  it(
    'never has more signals that have not aborted than places, and runs all',
    { tags: ['random'] },
    async () => {
      const topology = await proxied(single)
      const options = { ...topology.options(SETTINGS), lockWatchdogTimeout: 1_000 }
      const clients = await Promise.all([1, 2, 3, 4].map(() => Redisson.create(options)))
      const live = new Set<AbortSignal>()
      let most = 0
      let ended = 0
      const work = async ({ signal }: Work) => {
        live.add(signal)
        most = Math.max(most, [...live].filter(({ aborted }) => !aborted).length)
        await sleep(Math.random() * 40, undefined, { signal }).catch(() => undefined)
        live.delete(signal)
        ended += 1
      }
      let failed = 0
      const functions = clients.flatMap((client) => {
        const limiter = client.getWorkLimiter('cut', {
          concurrency: 5,
          rate: { limit: 400, perMs: 1000, burst: 20 },
        })
        return Array.from({ length: 150 }, async () => {
          const isBrief = Math.random() < 0.2
          const signal = isBrief ? AbortSignal.timeout(Math.ceil(Math.random() * 500)) : undefined
          try {
            await limiter.run(work, { priority: Math.floor(Math.random() * 3), ...(signal && { signal }) })
          } catch (error) {
            if (signal?.aborted !== true && !isRedissonError(error)) throw error
            failed += 1
          }
        })
      })
      const all = Promise.all(functions)
      const over = new AbortController()
      void all.finally(() => {
        over.abort()
      })
      while (!over.signal.aborted) {
        await sleep(30 + Math.random() * 150)
        for (const proxy of topology.proxies) proxy.cut()
      }
      await all
      expect(most).toBeLessThanOrEqual(5)
      expect(ended + failed).toBeGreaterThanOrEqual(600)
      await eventually(async () => {
        const counts = await clients[0]?.getWorkLimiter('cut', { concurrency: 5 }).counts()
        expect(counts).toEqual({ running: 0, waitingProcesses: 0, queued: 0 })
      })
      await clients[0]?.getWorkLimiter('cut', { concurrency: 5 }).reset()
      await Promise.all(clients.map((client) => client.shutdown()))
      await topology.stop()
    },
  )
})
