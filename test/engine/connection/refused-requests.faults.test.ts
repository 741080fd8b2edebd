import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import * as locks from '../../../src/locks/reentrant/lock.scripts.js'
import { Redisson } from '../../../src/client/redisson.js'
import * as semaphores from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Act } from '../../support/proxy/trap.js'
import { topologies } from '../../support/topologies.js'

const NEVER_MS = 600_000

const RETRY_ATTEMPTS = 2

const SETTINGS = { retryDelay: 20, retryAttempts: RETRY_ATTEMPTS }

const refusals = [
  'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
  'LOADING Redis is loading the dataset in memory',
  "OOM command not allowed when used memory > 'maxmemory'. script: cf2d0757, on @user_script:7.",
  "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk. script: cf2d0757, on @user_script:7.",
  'MISCONF Errors writing to the AOF file: No space left on device',
  'NOREPLICAS Not enough good replicas to write.',
]

describe.each(topologies)('a request that is refused at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    await client.getLock('warm').withLock(() => undefined) // so that the servers know the scripts
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  const freshName = () => `refused-request-${String(names++)}`

  /** Refuses a script that number of times. Returns the requests that it has refused. */
  const refuse = (sha: string, words: string, times: number): readonly string[] => {
    const refused: string[] = []
    const act: Act = (passing) => {
      if (refused.length === times) return
      refused.push(passing.request)
      passing.refuse(words)
    }
    for (const proxy of door.proxies) proxy.onRequest(sha, act, { times: Infinity })
    return refused
  }

  it.each(refusals)('for now is sent again, but where that lasts only once: %s', async (words) => {
    const name = freshName()
    const lock = client.getLock(name)
    const semaphore = client.getSemaphore(`${name}-permits`)
    await semaphore.trySetPermits(1)
    const attempts = /OOM|MISCONF|NOREPLICAS/.test(words) ? 1 : RETRY_ATTEMPTS
    const refused = [locks.acquire, locks.release, semaphores.acquire, semaphores.release].map(({ sha }) =>
      refuse(sha, words, attempts),
    )
    const hold = await lock.acquire()
    await hold.unlock()
    await semaphore.acquire()
    await semaphore.release()
    expect(refused.map(({ length }) => length)).toEqual(refused.map(() => attempts))
    expect(await lock.isLocked()).toBe(false)
    expect(await semaphore.availablePermits()).toBe(1)
    await semaphore.delete()
  })

  it.each(refusals)(
    'for longer, to give back a lock, is sent on after its caller knows: %s',
    async (words) => {
      const lock = client.getLock(freshName())
      const hold = await lock.acquire({ leaseMs: NEVER_MS })
      const refused = refuse(locks.release.sha, words, RETRY_ATTEMPTS + 4)
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
      await eventually(async () => !(await lock.isLocked()))
      expect(refused.length).toBeGreaterThan(RETRY_ATTEMPTS)
    },
  )
})
