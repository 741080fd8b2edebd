import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { startLink, type Link } from '../../support/link.js'
import { addressOf } from '../../support/launch/topology.js'
import { certificate, openTlsDoor } from '../../support/tls-door.js'
import { single } from '../../support/topologies.js'

const MB = 1024 * 1024
const LARGE = 'x'.repeat(20 * MB)
const LINK_BYTES_PER_SECOND = 4 * MB

/** How long the value is under way, and what buffers, the machine and the test itself may add. */
const UNDER_WAY_MS = 5_000
const SLACK_MS = 500

describe.each(['redis', 'rediss'] as const)(
  '20 MB over a link of 4 MB a second (%s://)',
  { tags: ['timed'] },
  (scheme) => {
    let target: HostAndPort & Partial<AsyncDisposable>
    let link: Link
    let client: RedissonClient
    let other: RedissonClient
    const events: string[] = []

    beforeEach(async () => {
      events.length = 0
      target = scheme === 'rediss' ? await openTlsDoor(single.nodes[0]) : single.nodes[0]
      link = await startLink(target)
      link.bytesPerSecond = LINK_BYTES_PER_SECOND
      client = await Redisson.create({
        singleServerConfig: { address: `${scheme}://${addressOf(link)}` },
        lockWatchdogTimeout: 3_000,
        ...(scheme === 'rediss' && { tls: { ca: certificate } }),
      })
      other = await Redisson.create(single.options())
      client.on('disconnected', () => events.push('disconnected'))
      client.on('lockLost', ({ reason }) => events.push(`lost: ${reason}`))
    })

    afterEach(async () => {
      await other.getKeys().delete('slow', 'slow:n', 'slow:lock')
      await client.shutdown()
      await other.shutdown()
      await link[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]?.()
    })

    const timed = async (call: Promise<unknown>) => {
      const since = performance.now()
      await call
      return performance.now() - since
    }

    it.each(['set', 'get'] as const)(
      '%s() succeeds, and a small call beside it, and a watched lock is kept',
      async (name) => {
        const bucket = client.getBucket<string>('slow')
        if (name === 'get') await other.getBucket<string>('slow').set(LARGE)
        const hold = await client.getLock('slow:lock').acquire()
        const large = timed(name === 'set' ? bucket.set(LARGE) : bucket.get())
        await sleep(1_000)
        const small = await timed(client.getAtomicLong('slow:n').incrementAndGet())
        const largeMs = await large
        expect(largeMs).toBeGreaterThan(UNDER_WAY_MS - 2_000)
        expect(small).toBeLessThan(largeMs - 1_000 + SLACK_MS)
        expect(await other.getBucket<string>('slow').get()).toHaveLength(LARGE.length)
        expect(await other.getAtomicLong('slow:n').get()).toBe(1)
        expect(hold.isHeld).toBe(true)
        expect(await timed(hold.unlock())).toBeLessThan(SLACK_MS)
        expect(events).toEqual([])
        expect(link.connections[0]?.down.passed).toBeLessThan(1.2 * LARGE.length)
      },
    )

    it.each(['set', 'get'] as const)('a lock is taken and released at once beside %s()', async (name) => {
      const bucket = client.getBucket<string>('slow')
      if (name === 'get') await other.getBucket<string>('slow').set(LARGE)
      const large = name === 'set' ? bucket.set(LARGE) : bucket.get()
      await sleep(1_000)
      const took = await timed(client.getLock('slow:lock').withLock(() => undefined))
      expect(took).toBeLessThan(SLACK_MS)
      await large
    })
  },
)
