import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RBucket, type RClientSideCaching, type RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { describeFaults, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { Passing } from '../../support/proxy/trap.js'
import { slottedTopologies } from '../../support/topologies.js'
import { Watching } from './watching.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 5, retryAttempts: 20 }

/** Usually longer than a message takes. Where it is not, a test shows less, and passes. */
const A_WHILE_MS = 100

describe.each(slottedTopologies)('client-side caching over a network that fails ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let here: RedissonClient
  let there: RedissonClient
  let caching: RClientSideCaching
  let bucket: RBucket<string>
  let written: RBucket<string>
  let watching: Watching
  let names = 0
  let name: string

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    here = await Redisson.create(door.options(SETTINGS))
    there = await Redisson.create(topology.options())
  })

  beforeEach(async () => {
    name = `cut-off-${topology.kind}-${String(names++)}`
    caching = here.getClientSideCaching()
    bucket = caching.getBucket(name)
    written = there.getBucket(name)
    watching = new Watching(door.proxies, name)
    await eventually(() => here.ping())
  })

  afterEach(async () => {
    await caching.destroy()
    await written.delete()
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await Promise.all([here.shutdown(), there.shutdown()])
    await door.stop()
  })

  const kept = () => watching.kept(() => bucket.get())
  const hears = (value: string) => eventually(async () => (await bucket.get()) === value)

  /** The connections that are notified of changes. */
  const hearers = () =>
    door.proxies.flatMap(({ connections }) => connections.filter(({ subscribed }) => subscribed))

  const onReply = (request: string, act: (passing: Passing) => Promise<void> | void) => {
    for (const proxy of door.proxies)
      proxy.onReply((sent) => sent.toLowerCase() === `${request} ${name}`, act)
  }

  /** Shows that what is read now is kept until it changes, and no longer. */
  const demandTruth = async () => {
    await written.set('true')
    await hears('true')
    expect(await kept()).toBe('true')
    await written.set('truer')
    await hears('truer')
  }

  describe.each(['exists', 'pttl', 'get'])('when %s', (request) => {
    describeFaults('%s', TIMEOUT_MS, (...fault) => {
      it('reads what Redis has, and hears of changes', async () => {
        await written.set('a')
        const { struck } = strike(door.proxies, `${request} ${name}`, fault)
        expect(await bucket.get()).toBe('a')
        await struck
        await demandTruth()
      })
    })
  })

  it('keeps nothing that was read before a change between tracking and reading', async () => {
    await written.set('a')
    onReply('exists', async () => {
      await written.set('b')
    })
    expect(await bucket.get()).toBe('b')
    await demandTruth()
  })

  it('keeps nothing that is read while the reply to an earlier tracking is late, and the key has changed', async () => {
    await caching.getBucket(`${name}-other`).get() // the connections are there
    const later = Promise.withResolvers<string | undefined>()
    onReply('exists', async () => {
      await written.set('b')
      await sleep(A_WHILE_MS) // so that the change is heard of first
      later.resolve(bucket.get())
      await sleep(A_WHILE_MS) // so that it waits for its key to be tracked
    })
    expect(await bucket.get()).toBe('b')
    expect(await later.promise).toBe('b')
    await demandTruth()
  })

  it.each(['pttl', 'get'])(
    'keeps nothing that has changed before the reply to %s was here',
    async (request) => {
      await written.set('a')
      await caching.getBucket(`${name}-other`).get() // the connections are there
      onReply(request, async () => {
        await written.set('b')
        await sleep(A_WHILE_MS) // so that the change is heard of first
      })
      await bucket.get()
      await hears('b')
      await demandTruth()
    },
  )

  it('keeps nothing that was read while the connection was cut that hears of changes', async () => {
    await written.set('a')
    await kept()
    await written.set('b')
    await hears('b')
    await caching.getBucket(name).touch() // a call that changes something, so that the next read asks Redis
    onReply('get', async () => {
      for (const connection of hearers()) connection.cut()
      await written.set('c')
      await sleep(A_WHILE_MS)
    })
    await bucket.get()
    await hears('c')
    await demandTruth()
  })

  it('keeps nothing that was read before its own change, and came after that', async () => {
    await written.set('a')
    const held = Promise.withResolvers<undefined>()
    const isRead = Promise.withResolvers<undefined>()
    onReply('get', async () => {
      isRead.resolve(undefined)
      await held.promise
    })
    const reading = bucket.get()
    await isRead.promise
    const writing = bucket.set('b')
    await eventually(async () => (await written.get()) === 'b')
    held.resolve(undefined)
    expect(await reading).toBe('a')
    await writing
    expect(await bucket.get()).toBe('b')
    await demandTruth()
  })

  it('asks Redis for each read while it hears of no changes', async () => {
    await written.set('a')
    expect(await kept()).toBe('a')
    for (const proxy of door.proxies) proxy.refuse()
    for (const connection of hearers()) connection.cut()
    await written.set('b')
    await hears('b')
    for (let n = 0; n < 10; n += 1) {
      await written.set(String(n))
      expect(await bucket.get()).toBe(String(n))
    }
    await Promise.all(door.proxies.map((proxy) => proxy.accept()))
    await demandTruth()
  })

  it('hears of changes after each of its connections has come anew', async () => {
    for (let round = 0; round < 3; round += 1) {
      await written.set(`before ${String(round)}`)
      await hears(`before ${String(round)}`)
      await kept()
      for (const proxy of door.proxies) proxy.cut()
      await written.set(`after ${String(round)}`)
      await hears(`after ${String(round)}`)
    }
    await demandTruth()
  })

  it('returns nothing of a key that has expired, even if no message arrives', async () => {
    const lives = 500
    await written.set('a', lives)
    const until = performance.now() + lives
    await bucket.get()
    const frozen = hearers()
    for (const connection of frozen) connection.freeze()
    await sleep(until - performance.now() + 1)
    await eventually(async () => (await written.get()) === undefined)
    expect(await bucket.get()).toBeUndefined()
    for (const connection of frozen) connection.cut() // otherwise a later test would wait until that is noticed
  })

  it('drops what a call has changed whose reply was lost', async () => {
    await written.set('a')
    expect(await kept()).toBe('a')
    const [fault] = [['is cut off', 'reply', (passing: Passing) => passing.cut()]] as const
    strike(door.proxies, `set ${name}`, fault)
    await bucket.getAndSet('b').catch(() => undefined)
    expect(await bucket.get()).toBe('b')
    await demandTruth()
  })

  it('does not wait for a key that Redis refuses to track for now', async () => {
    await written.set('a')
    await caching.getBucket(`${name}-other`).get() // the connections are there
    const sent: string[] = []
    const note = (passing: Passing) => {
      const [command = ''] = passing.request.toLowerCase().split(' ')
      sent.push(command)
      if (command === 'exists') passing.refuse('BUSY Redis is busy running a script')
    }
    for (const proxy of door.proxies)
      proxy.onRequest((request) => request.endsWith(` ${name}`), note, { times: Infinity })
    expect(await bucket.get()).toBe('a')
    expect(sent).toEqual(['exists', 'get'])
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    watching = new Watching(door.proxies, name)
    await demandTruth()
  })

  it('goes on with other keys where the user may not read one, without a warning', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const forbidden = `${name}-forbidden`
    for (const proxy of door.proxies)
      proxy.onRequest(
        (sent) => sent.toLowerCase() === `exists ${forbidden}`,
        (passing) => {
          passing.refuse('NOPERM No permissions to access a key')
        },
        { times: Infinity },
      )
    for (let n = 0; n < 2; n += 1) {
      expect(await caching.getBucket(forbidden).get()).toBeUndefined()
      await demandTruth()
    }
    expect(warned.mock.calls).toEqual([])
    warned.mockRestore()
  })

  it('keeps nothing where Redis does not report changes, and says so once', async () => {
    await written.set('a')
    const client = await Redisson.create(door.options(SETTINGS))
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    for (const proxy of door.proxies)
      proxy.onRequest(
        /^client tracking/i,
        (passing) => {
          passing.refuse("NOPERM this user has no permissions to run the 'client|tracking' command")
        },
        { times: Infinity },
      )
    const own = client.getClientSideCaching().getBucket<string>(name)
    for (let n = 0; n < 5; n += 1) {
      await written.set(String(n))
      expect(await own.get()).toBe(String(n))
      expect(await watching.sentBy(() => own.get())).toBeGreaterThan(0)
    }
    const codes = warned.mock.calls.map(
      ([, options]) => (options as { readonly code?: string } | undefined)?.code,
    )
    expect(codes).toEqual(['REDISSON_NO_KEY_TRACKING'])
    warned.mockRestore()
    await client.shutdown()
    expect(await askOwner(topology, name, 'GET')).toBe('"4"')
  })
})
