import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { count } from '../../../src/synchronizers/count-down-latch/count-down-latch.scripts.js'
import { untilAwaited } from '../../support/channels.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

/** Longer than a request is on its way to the server. */
const PASSED_MS = 50

describe('a latch that is set anew while the word of its zero is on the way', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options())
    straight = await Redisson.create(single.options())
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it('holds up those who came after that', { tags: ['timed'] }, async () => {
    const proxy = door.proxyOf(single.nodes[0])
    const [mine, theirs] = [client.getCountDownLatch('rounds'), straight.getCountDownLatch('rounds')]
    await theirs.trySetCount(1)
    const first = mine.await()
    await untilAwaited(single, 'rounds')
    await sleep(PASSED_MS) // the count is read once more then

    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const read = new Promise<void>((resolve) => {
      proxy.onReply(count.sha, () => {
        resolve()
        return gate
      })
    })
    await theirs.countDown()
    await read
    await theirs.trySetCount(1)

    const asked = proxy.onRequest(count.sha).happened
    let released = false
    const second = mine.await().then(() => {
      released = true
    })
    await asked
    await sleep(PASSED_MS)
    open()
    expect(await first).toBe(true)
    await sleep(PASSED_MS)
    expect(released).toBe(false)

    await theirs.countDown()
    await second
    expect(released).toBe(true)
  })
})
