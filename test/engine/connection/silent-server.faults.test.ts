import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { topologies } from '../../support/topologies.js'

const TIMEOUT_MS = 100

describe.each(topologies)('a server that falls silent ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({
      ...door.options({ timeout: TIMEOUT_MS, retryAttempts: 0, reconnectionDelay: 10 }),
      connectWaitMs: 20_000,
    })
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it.each([0, 10, 35, 60, 90])('%i ms after its reply is reported by that name', async (pauseMs) => {
    const lock = client.getLock(`silent-${String(pauseMs)}`)
    await repliesAgain(lock)
    await sleep(pauseMs)
    for (const proxy of door.proxies) proxy.stall()
    await expect(lock.isLocked()).rejects.toMatchObject({ code: 'REPLY_TIMEOUT' })
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await repliesAgain(lock)
  })
})

/** A slow machine may take longer for a reply than this client waits. */
async function repliesAgain(lock: RLock): Promise<void> {
  await expect.poll(() => lock.isLocked().catch(() => undefined), { timeout: 10_000 }).toBe(false)
}
