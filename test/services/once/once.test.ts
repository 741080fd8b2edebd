import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Once, OnceRetry, OnceRun } from '../../../src/services/once/once.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { Redisson } from '../../../src/client/redisson.js'
import { askOwner } from '../../support/ask-owner.js'
import { startChild } from '../../support/child.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, single, topologies } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

const WATCHDOG_MS = 900
const LONG_MS = 600_000
/** For marks whose leases are not what a test is about: no busy machine outlasts them. */
const LEASE_MS = 30_000
const program = new URL('../fixtures/once-user.ts', import.meta.url)

/** How late each of three processes comes to every fire, in milliseconds. */
const skews = [
  [0, 0, 0],
  [0, 2, 4],
  [0, 5, 10],
  [0, 20, 60],
]

const given = (retry: OnceRetry | undefined) => (retry === undefined ? {} : { retry })
const fail = () => {
  throw new Error('it failed')
}

describe.each(topologies)('what is run once ($kind)', (topology) => {
  const clients: RedissonClient[] = []
  /** One with leases that are soon renewed, or soon over. */
  let watched: RedissonClient
  const events: unknown[] = []
  let names = 0
  let name = ''

  noLeaks(topology, { except: /^redisson_once:/ })

  const connect = (lockWatchdogTimeout = LEASE_MS) =>
    Redisson.create({ ...topology.options({}), lockWatchdogTimeout })
  const once = (index: number, ttlMs = LONG_MS): Once =>
    (clients[index] as RedissonClient).getOnce(name, { ttlMs })
  const watchedOnce = (): Once => watched.getOnce(name, { ttlMs: LONG_MS })
  const ask = (fire: number | string, command: string, ...args: (string | number)[]) =>
    askOwner(topology, `redisson_once:{${name}}:${String(fire)}`, command, ...args)
  const leftMs = async (fire: number | string) => Number(await ask(fire, 'PTTL'))

  /** Begins a run that goes on until it is let go. */
  const begin = async (of: Once, options: Parameters<Once['run']>[1]) => {
    const begun = Promise.withResolvers<OnceRun>()
    const { promise: end, resolve: letGo, reject: fail } = Promise.withResolvers<string>()
    const outcome = of.run((run) => {
      begun.resolve(run)
      return end
    }, options)
    outcome.catch(() => undefined)
    return { ...(await begun.promise), letGo, fail, outcome }
  }

  beforeAll(async () => {
    for (let each = 0; each < 3; each += 1) clients.push(await connect())
    watched = await connect(WATCHDOG_MS)
    for (const client of [...clients, watched]) client.on('lockLost', (event) => events.push(event))
  })

  beforeEach(() => {
    name = `once-${String(names++)}`
  })

  afterEach(() => {
    expect(events).toEqual([])
  })

  afterAll(async () => {
    await Promise.all([...clients, watched].map((client) => client.shutdown()))
  })

  it.each(skews)('runs once for each fire of a schedule, with skews of %i, %i and %i ms', async (...late) => {
    const ran: number[] = []
    const fires = Array.from({ length: 8 }, (_, n) => 1_800_000_000_000 + n * 1000)
    await Promise.all(
      late.map(async (lateMs, index) => {
        for (const fire of fires) {
          await sleep(lateMs)
          await once(index).run(() => sleep(5).then(() => ran.push(fire)), { fire: new Date(fire) })
        }
      }),
    )
    expect(ran.toSorted()).toEqual(fires)
  })

  it('resolves with the value, or says that it did not run', async () => {
    expect(await once(0).run(() => 7, { fire: 1 })).toEqual({ ran: true, value: 7 })
    expect(await once(1).run(fail, { fire: 1 })).toEqual({ ran: false })
    expect(await once(0).run(fail, { fire: 1 })).toEqual({ ran: false })
  })

  it('does not wait for another process that runs it', async () => {
    const { letGo, outcome } = await begin(once(0), { fire: 1 })
    expect(await once(1).run(fail, { fire: 1 })).toEqual({ ran: false })
    letGo('done')
    expect(await outcome).toEqual({ ran: true, value: 'done' })
  })

  it('takes a date for its milliseconds, and a text as it is', async () => {
    const date = new Date(1_800_000_000_000)
    expect((await once(0).run(() => 0, { fire: date })).ran).toBe(true)
    expect((await once(1).run(() => 0, { fire: date.getTime() })).ran).toBe(false)
    expect((await once(1).run(() => 0, { fire: String(date.getTime()) })).ran).toBe(false)
    expect((await once(1).run(() => 0, { fire: date.toISOString() })).ran).toBe(true)
    expect((await once(0).run(() => 0, { fire: date.toISOString() })).ran).toBe(false)
  })

  it('runs once in a time where no fire is named', { tags: ['timed'] }, async () => {
    const ttlMs = 300
    expect((await once(0, ttlMs).run(() => 0)).ran).toBe(true)
    expect((await once(1, ttlMs).run(() => 0)).ran).toBe(false)
    await eventually(async () => (await once(1, ttlMs).run(() => 0)).ran)
    expect((await once(0, ttlMs).run(() => 0)).ran).toBe(false)
  })

  it('keeps the marks of all names apart', async () => {
    const names = ['x{a}', 'x{a}:1', 'x{a}:1:2']
    const fires = [undefined, '1', '1:2', '2', '{a}', '%3A']
    for (const each of names) {
      for (const fire of fires) {
        const { ran } = await (clients[0] as RedissonClient)
          .getOnce(each, { ttlMs: LONG_MS })
          .run(() => 0, fire === undefined ? {} : { fire })
        expect(ran, `${each} ${String(fire)}`).toBe(true)
      }
    }
  })

  it('counts its time from the beginning', async () => {
    await once(0, LONG_MS).run(() => sleep(300), { fire: 1 })
    await once(0, LONG_MS).run(() => sleep(300), { fire: 2, retry: 'onCrash' })
    for (const fire of [1, 2]) {
      expect(await leftMs(fire)).toBeLessThanOrEqual(LONG_MS - 250)
      expect(await leftMs(fire)).toBeGreaterThan(LONG_MS - 60_000) // a test takes no longer
    }
  })

  it.each([
    [undefined, false],
    ['onError', true],
    ['onCrash', false],
    ['both', true],
  ] as const)('with retry %s runs again after an error: %s', async (retry, again) => {
    await expect(once(0).run(fail, { fire: 1, ...given(retry) })).rejects.toThrow('it failed')
    expect(await ask(1, 'EXISTS')).toBe(again ? 0 : 1)
    if (!again) expect(await leftMs(1)).toBeGreaterThan(LONG_MS - 60_000)
    expect((await once(1).run(() => 0, { fire: 1, ...given(retry) })).ran).toBe(again)
  })

  it.each([
    [undefined, false],
    ['onError', false],
    ['onCrash', true],
    ['both', true],
  ] as const)('with retry %s runs again after a crash: %s', { tags: ['timed'] }, async (retry, again) => {
    const options = JSON.stringify({ ...topology.options({}), lockWatchdogTimeout: WATCHDOG_MS })
    await using child = startChild(program, { args: [options, name, '1', retry ?? ''] })
    await child.hear('runs')
    await sleep(WATCHDOG_MS * 1.5)
    expect((await once(0).run(() => 0, { fire: 1, ...given(retry) })).ran).toBe(false)
    await child.kill()
    if (again) await eventually(async () => (await once(0).run(() => 0, { fire: 1, ...given(retry) })).ran)
    else expect(await leftMs(1)).toBeGreaterThan(LONG_MS - 60_000)
  })

  it(
    'renews a mark until the function ends, and then keeps it for the rest of the time',
    { tags: ['timed'] },
    async () => {
      const { letGo, outcome, signal } = await begin(watchedOnce(), { fire: 1, retry: 'onCrash' })
      await sleep(WATCHDOG_MS * 1.5)
      expect(await leftMs(1)).toBeLessThanOrEqual(WATCHDOG_MS)
      expect(signal.aborted).toBe(false)
      expect((await once(1).run(fail, { fire: 1 })).ran).toBe(false)
      letGo('done')
      expect(await outcome).toEqual({ ran: true, value: 'done' })
      expect(await leftMs(1)).toBeGreaterThan(LONG_MS - 60_000)
      await sleep(WATCHDOG_MS)
      expect((await once(1).run(fail, { fire: 1 })).ran).toBe(false)
    },
  )

  it('excludes other runs for as long as a function takes whose mark is renewed', async () => {
    const { letGo, outcome } = await begin(once(0, 100), { fire: 1, retry: 'onCrash' })
    await sleep(400)
    expect((await once(1, 100).run(fail, { fire: 1 })).ran).toBe(false)
    letGo('done')
    await outcome
    expect(await ask(1, 'EXISTS')).toBe(0)
  })

  it(
    'aborts when a renewed mark is lost, and leaves that of another run alone',
    { tags: ['timed'] },
    async () => {
      const { letGo, outcome, signal } = await begin(watchedOnce(), { fire: 1, retry: 'both' })
      await ask(1, 'SET', 'another')
      await untilAborted(signal)
      const lost = { name: 'MarkLostError', code: 'MARK_LOST', once: name, fire: '1', reason: 'not-held' }
      expect(signal.reason).toMatchObject(lost)
      letGo('done')
      await expect(outcome).rejects.toMatchObject(lost)
      expect([await ask(1, 'GET'), await leftMs(1)]).toEqual(['another', -1])
    },
  )

  it('leaves the mark of another run alone after an error', async () => {
    const { fail, outcome } = await begin(once(0), { fire: 1, retry: 'onError' })
    await ask(1, 'SET', 'another')
    fail(new Error('it failed'))
    await expect(outcome).rejects.toThrow('it failed')
    expect(await ask(1, 'GET')).toBe('another')
  })

  it('does not run, and leaves no mark, when its signal has aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(once(0).run(fail, { fire: 1, signal })).rejects.toThrow('enough')
    expect(await ask(1, 'EXISTS')).toBe(0)
  })

  it('leaves no mark when its signal aborts before the answer', async () => {
    const controller = new AbortController()
    const outcome = once(0).run(fail, { fire: 1, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(outcome).rejects.toThrow('enough')
    expect(await once(0).run(() => 7, { fire: 1 })).toEqual({ ran: true, value: 7 }) // once that is settled
  })

  it('hands an abort on to the function, which may end as it likes', async () => {
    const controller = new AbortController()
    const { signal, letGo, outcome } = await begin(once(0), { fire: 1, signal: controller.signal })
    controller.abort(new Error('enough'))
    expect(signal.reason).toMatchObject({ message: 'enough' })
    letGo('done all the same')
    expect(await outcome).toEqual({ ran: true, value: 'done all the same' })
    expect(await ask(1, 'EXISTS')).toBe(1)
  })

  it('refuses a key that belongs to something else', { tags: ['timed'] }, async () => {
    await ask(1, 'HSET', 'field', 'value')
    await expect(once(0).run(fail, { fire: 1 })).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await ask(1, 'DEL')
    const { letGo, outcome, signal } = await begin(watchedOnce(), { fire: 1, retry: 'onCrash' })
    await ask(1, 'DEL')
    await ask(1, 'HSET', 'field', 'value')
    await untilAborted(signal)
    letGo('done')
    await expect(outcome).rejects.toMatchObject({ code: 'MARK_LOST', reason: 'not-held' })
    expect(await ask(1, 'HGET', 'field')).toBe('value')
  })

  describe('at a shutdown', () => {
    let client: RedissonClient

    beforeEach(async () => {
      client = await connect()
    })

    afterEach(async () => {
      await client.shutdown()
    })

    const beginThere = (retry: OnceRetry | undefined) =>
      begin(client.getOnce(name, { ttlMs: LONG_MS }), { fire: 1, ...given(retry) })

    it.each([undefined, 'onError', 'onCrash'] as const)('with retry %s aborts', async (retry) => {
      const { signal, outcome, letGo } = await beginThere(retry)
      await client.shutdown()
      expect(signal.reason).toMatchObject({ code: 'MARK_LOST', reason: 'closed' })
      letGo('done')
      if (retry === 'onCrash') await expect(outcome).rejects.toBe(signal.reason)
      else expect(await outcome).toEqual({ ran: true, value: 'done' })
    })

    it.each([undefined, 'onError', 'onCrash'] as const)(
      'with retry %s waits for a drain',
      { tags: ['timed'] },
      async (retry) => {
        await client.shutdown()
        client = await connect(WATCHDOG_MS)
        const { signal, outcome, letGo } = await beginThere(retry)
        const ended = client.shutdown({ drainMs: 20_000 })
        await expect(client.getOnce(name, { ttlMs: 1 }).run(fail)).rejects.toMatchObject({ code: 'CLOSED' })
        await sleep(WATCHDOG_MS * 1.2)
        expect(signal.aborted).toBe(false)
        letGo('done')
        expect(await outcome).toEqual({ ran: true, value: 'done' })
        await ended
        expect(await leftMs(1)).toBeGreaterThan(LONG_MS - 60_000)
      },
    )

    it.each([
      [undefined, false],
      ['onError', false],
      ['onCrash', true],
      ['both', true],
    ] as const)('with retry %s and a release runs again at once: %s', async (retry, again) => {
      const { letGo } = await beginThere(retry)
      await client.shutdown({ release: true })
      expect((await once(0).run(() => 0, { fire: 1 })).ran).toBe(again)
      letGo('done')
    })

    it('leaves no mark of a request that it overtakes', async () => {
      await client.getOnce(name, { ttlMs: LONG_MS }).run(() => 0, { fire: 0 }) // so that the server knows the script
      const outcome = client.getOnce(name, { ttlMs: LONG_MS }).run(fail, { fire: 1 })
      const refused = expect(outcome).rejects.toMatchObject({ code: 'CLOSED' })
      await client.shutdown()
      await refused
      expect(await ask(1, 'EXISTS')).toBe(0)
    })
  })
})

describe('what is run once refuses', () => {
  let client: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    client = await Redisson.create(single.options({}))
  })

  afterAll(() => client.shutdown())

  it.each([NaN, 1.5, Infinity, '', '\ud800', new Date(NaN), null, {}, 1n, true])(
    'the fire %s',
    async (fire) => {
      const outcome = client.getOnce('a', { ttlMs: 1000 }).run(fail, { fire: fire as never })
      await expect(outcome).rejects.toThrow(/^Expected `fire` to be a Date, /)
    },
  )

  it('no time at all, and says which', () => {
    expect(() => client.getOnce('a', undefined as never)).toThrow(
      'Expected the options to be an object such as { ttlMs: 60_000 }, got undefined',
    )
  })

  it.each([0, -1, NaN, Infinity, undefined, '1000', null])('the time %s', (ttlMs) => {
    expect(() => client.getOnce('a', { ttlMs: ttlMs as never })).toThrow(/^Expected `ttlMs` to be /)
  })

  it.each(['never', '', 'toString', true, null])('the retry %s', async (retry) => {
    const outcome = client.getOnce('a', { ttlMs: 1000 }).run(fail, { retry: retry as never })
    await expect(outcome).rejects.toThrow(/^Expected `retry` to be 'onError', 'onCrash' or 'both', got /)
  })

  it('names that a cluster cannot serve', async () => {
    await using clustered = await Redisson.create(cluster.options({}))
    expect(() => clustered.getOnce('a{b', { ttlMs: 1000 })).toThrow(/hash tag/)
  })
})
