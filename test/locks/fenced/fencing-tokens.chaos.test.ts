import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, isRedissonError, type RedissonClient, type RFencedLock } from '../../../src/index.js'
import { isTransient } from '../../../src/errors/transient.js'
import { eventually } from '../../support/eventually.js'
import type { SentinelTopology } from '../../support/launch/topology.js'
import { failOverSet, masterOf, newMasterOf, untilCalm } from '../../support/sentinel-set.js'
import { startSentinel } from '../../support/servers.js'

/** All that a set of sentinels has. If fewer confirm, one may be promoted that has not, or the old master goes on with it. */
const REPLICAS = 2

describe('the tokens of a fenced lock that all replicas confirm', () => {
  let set: SentinelTopology
  let clients: RedissonClient[]

  beforeAll(async () => {
    set = await startSentinel({ sentinels: 1, downAfterMs: 500, pace: 'hurried' })
    const settings = {
      ...set.options({ timeout: 500, retryDelay: 100, reconnectionDelay: 50, retryAttempts: 3 }),
      lockWatchdogTimeout: 2000,
      slavesSyncTimeout: 300,
    }
    clients = await Promise.all([Redisson.create(settings), Redisson.create(settings)])
  })

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.shutdown()))
    await set.stop()
  })

  /** Has flows take the lock while something happens; resolves with the tokens in the order in which they had it. */
  const tokensWhile = async (fault: () => Promise<unknown>): Promise<number[]> => {
    const tokens: number[] = []
    let over = false
    const flow = async (lock: RFencedLock) => {
      while (!over) {
        try {
          await lock.withLock((hold) => void tokens.push(hold.fencingToken))
        } catch (error) {
          if (!isExpected(error)) throw error
        }
      }
    }
    const until = (count: number) =>
      eventually(() => tokens.length >= count, { withinMs: 30_000, what: 'tokens' })
    const flows = Promise.all(
      clients.map((client) => flow(client.getFencedLock('tokens', { syncedReplicas: REPLICAS }))),
    )
    try {
      await Promise.race([until(20), flows])
      await fault()
      await Promise.race([until(tokens.length + 20), flows])
    } finally {
      over = true
      await flows
    }
    return tokens
  }

  const demandGrowth = (tokens: readonly number[]) => {
    expect(tokens).toEqual(tokens.toSorted((one, other) => one - other))
    expect(new Set(tokens).size).toBe(tokens.length)
  }

  it('grow over a failover that was planned', async () => {
    demandGrowth(await tokensWhile(() => failOverSet(set)))
  })

  it('grow over the death of a master', async () => {
    await untilCalm(set)
    const old = await masterOf(set)
    const kill = async () => {
      await old.kill()
      await newMasterOf(set, old)
      await old.restart() // as a replica, which confirms again
    }
    demandGrowth(await tokensWhile(kill))
  })
})

/** Redis could not be asked, replicas did not confirm, or the lock was lost and said so. */
function isExpected(error: unknown): boolean {
  return isTransient(error) || isRedissonError(error, 'NOT_REPLICATED') || isRedissonError(error, 'LOCK_LOST')
}
