import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { release } from '../../../src/synchronizers/semaphore/semaphore.scripts.js'
import { strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'
import { standStill } from '../../support/stand-still.js'

/** An answer is remembered for less than three seconds. A slow machine may need more than one copy of a request. */
const SETTINGS = { timeout: 200, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 5 }

/** Longer than an answer is remembered, and shorter than that. */
const LONG_MS = 3_000
const SHORT_MS = 100

const NAME = 'late-copy'

describe.each(topologies)('a request whose answer is lost ($kind)', { tags: ['timed'] }, (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(topology)

  beforeAll(async () => {
    straight = await Redisson.create(topology.options())
  })

  beforeEach(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    await straight.getSemaphore(NAME).release() // so that the server knows the script
  })

  afterEach(async () => {
    await client.shutdown()
    await straight.getSemaphore(NAME).delete()
    await door.stop()
  })

  afterAll(() => straight.shutdown())

  const free = () => straight.getSemaphore(NAME).availablePermits()

  /** Loses the reply to a release, and suspends the process for that time. */
  const loseAnswerAndStandStill = (ms: number) =>
    strike(door.proxies, release.sha, [
      'is answered, and the answer cut off while the process stands still',
      'reply',
      (passing) => {
        passing.cut()
        standStill(ms)
      },
    ])

  it('is not sent again after the server may have forgotten it, and so counts once', async () => {
    loseAnswerAndStandStill(LONG_MS)
    await expect(client.getSemaphore(NAME).release()).rejects.toMatchObject({ attempts: 1 })
    expect(await free()).toBe(2)
  })

  it('is sent again as long as the server remembers it', async () => {
    loseAnswerAndStandStill(SHORT_MS)
    await client.getSemaphore(NAME).release()
    expect(await free()).toBe(2)
  })
})
