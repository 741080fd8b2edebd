import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { lazyThenable } from '../support/lazy-thenable.js'
import { single } from '../support/topologies.js'
import { listeners } from './listeners.js'

const name = 'listener-flows'

describe('a call of a listener', () => {
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })
  afterEach(() => client.getKeys().flushdb())
  afterAll(() => client.shutdown())

  it.each(listeners)('has no lock() of an earlier call: %s', async (_, listen) => {
    const lock = client.getLock(`${name}:lock`)
    const first = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const found: unknown[] = []
    let calls = 0
    const take = async () => {
      await lock.lock()
      first.resolve()
    }
    const look = async () => {
      await first.promise
      found.push(await lock.isLocked(), await lock.isHeldByCurrentThread())
      found.push(await lock.unlock().catch((error: unknown) => error))
      done.resolve()
    }
    const listener = () => {
      calls += 1
      return calls === 1 ? take() : look()
    }
    await listen({ client, name, listener, done: done.promise })
    expect(found).toMatchObject([true, false, { code: 'NOT_HELD' }])
    await lock.forceUnlock()
  })

  it.each(listeners)('has its own lock() also in what a thenable starts in then(): %s', async (_, listen) => {
    const works = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
    let calls = 0
    const listener = () => {
      const work = works[calls]
      const lock = client.getLock(`${name}:lock:${calls}`)
      calls += 1
      const taking = lock.lock()
      return lazyThenable(async () => {
        await taking
        work?.resolve(await lock.unlock().catch((error: unknown) => error))
      })
    }
    const done = Promise.all(works.map(({ promise }) => promise))
    await listen({ client, name, listener, done })
    expect(await done).toEqual([undefined, undefined])
  })
})
