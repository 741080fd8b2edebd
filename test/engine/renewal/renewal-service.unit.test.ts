import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { ReplyTimeoutError, ServerNotReadyError } from '../../../src/errors/connection-errors.js'
import type { LockLossReason } from '../../../src/errors/lock-errors.js'
import { endlessLease, Lease, type RenewalKind } from '../../../src/renewal/lease.js'
import { RenewalService } from '../../../src/renewal/renewal-service.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const LEASE_MS = 3_000
const PERIOD_MS = LEASE_MS / 3

/** A kind of lease that records its calls, and returns what is given. */
class FakeKind implements RenewalKind {
  readonly name: string
  /** The names of every call. */
  readonly calls: string[][] = []
  /** What the next calls return; by default everything is held. */
  answer: (names: readonly string[]) => Promise<readonly boolean[]> | readonly boolean[] = (names) =>
    names.map(() => true)

  constructor(name = 'fake') {
    this.name = name
  }

  /** Until when the last call may be repeated. */
  deadline = Deadline.never

  async renew(leases: readonly Lease[], _: number, deadline: Deadline): Promise<readonly boolean[]> {
    const names = leases.map((lease) => lease.name)
    this.calls.push(names)
    this.deadline = deadline
    return this.answer(names)
  }
}

interface Kept {
  readonly lease: Lease
  readonly losses: LockLossReason[]
}

describe('a lease', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const make = () =>
    new Lease({ kind: new FakeKind(), name: 'a', owner: 'o', slot: 0 }, { onLeaseLost: () => undefined })

  it('has expired until it is confirmed', () => {
    expect(make().expired).toBe(true)
  })

  it('counts from before the request was sent, and ends a little sooner than Redis will', () => {
    const lease = make()
    lease.confirm(performance.now() - 500, 1_000)
    vi.advanceTimersByTime(487)
    expect(lease.expired).toBe(false)
    vi.advanceTimersByTime(12)
    expect(lease.expired).toBe(true)
  })

  it('is never made shorter', () => {
    const lease = make()
    lease.confirm(performance.now(), 60_000)
    const { expiresAt } = lease
    lease.confirm(performance.now(), 1_000)
    expect(lease.expiresAt).toBe(expiresAt)
    lease.confirm(performance.now(), 120_000)
    expect(lease.expiresAt).toBeGreaterThan(expiresAt)
  })

  it('that has begun anew is not prolonged by an answer to what was asked before', () => {
    const lease = make()
    const askedAt = performance.now()
    vi.advanceTimersByTime(10)
    lease.begin(performance.now(), 1_000)
    const { expiresAt } = lease
    lease.confirm(askedAt, 60_000)
    expect(lease.expiresAt).toBe(expiresAt)
    lease.confirm(performance.now(), 60_000)
    expect(lease.expiresAt).toBeGreaterThan(expiresAt)
  })
})

describe('the renewal service', () => {
  let service: RenewalService
  let kind: FakeKind
  const emitWarning = vi.spyOn(process, 'emitWarning')
  beforeEach(() => {
    emitWarning.mockReset()
    emitWarning.mockReturnValue(undefined)
    vi.useFakeTimers()
    service = new RenewalService({ leaseMs: LEASE_MS, batchSize: 100 })
    kind = new FakeKind()
  })
  afterEach(() => {
    service.close()
    vi.useRealTimers()
  })

  const keep = (
    name: string,
    {
      slot = 0,
      renewed = true,
      leaseMs = LEASE_MS,
      of = kind,
      lateMs = 0,
    }: {
      slot?: number
      renewed?: boolean
      leaseMs?: number
      of?: FakeKind
      lateMs?: number
    } = {},
  ): Kept => {
    const losses: LockLossReason[] = []
    const lease = new Lease(
      { kind: of, name, owner: `owner of ${name}`, slot },
      {
        onLeaseLost: (reason) => void losses.push(reason),
      },
    )
    lease.renewed = renewed
    lease.confirm(performance.now() - lateMs, leaseMs)
    service.track(lease)
    return { lease, losses }
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  describe('renewing', () => {
    it('asks three times per lease, for as long as the lease is kept', async () => {
      const { lease, losses } = keep('a')
      await pass(PERIOD_MS - 1)
      expect(kind.calls).toEqual([])
      await pass(9 * PERIOD_MS + 1)
      expect(kind.calls).toEqual(Array.from({ length: 10 }, () => ['a']))
      expect(losses).toEqual([])
      service.untrack(lease)
      await pass(10 * PERIOD_MS)
      expect(kind.calls).toHaveLength(10)
    })

    it('asks at once for leases that were granted late, together and without others, and goes on in turn', async () => {
      keep('a')
      await pass(PERIOD_MS / 2)
      keep('late', { lateMs: PERIOD_MS })
      keep('as late', { lateMs: PERIOD_MS })
      await pass(0)
      expect(kind.calls).toEqual([['late', 'as late']])
      await pass(PERIOD_MS / 2)
      expect(kind.calls).toEqual([
        ['late', 'as late'],
        ['a', 'late', 'as late'],
      ])
    })

    it('does not ask for a lease that had ended when it was granted', async () => {
      const { losses } = keep('late', { lateMs: LEASE_MS })
      await pass(1)
      expect(kind.calls).toEqual([])
      expect(losses).toEqual(['expired'])
    })

    it('asks in turn for a lease that was granted in time, or has changed', async () => {
      const { lease } = keep('a', { lateMs: PERIOD_MS / 4 })
      await pass(PERIOD_MS * 0.9)
      service.track(lease)
      expect(kind.calls).toEqual([])
    })

    it('leaves a lease alone that shall end by itself', async () => {
      keep('a', { renewed: false, leaseMs: 60_000 })
      await pass(10 * PERIOD_MS)
      expect(kind.calls).toEqual([])
    })

    it('renews a lease from the moment on that it wants it, and no longer than that', async () => {
      const { lease } = keep('a', { renewed: false, leaseMs: 60_000 })
      await pass(PERIOD_MS)
      lease.renewed = true
      service.track(lease)
      await pass(PERIOD_MS)
      expect(kind.calls).toEqual([['a']])
      lease.renewed = false
      await pass(10 * PERIOD_MS)
      expect(kind.calls).toEqual([['a']])
    })

    it('asks once for all leases of one kind and slot, and apart for others', async () => {
      const other = new FakeKind('other')
      keep('a', { slot: 1 })
      keep('b', { slot: 2 })
      keep('c', { slot: 1 })
      keep('d', { slot: 1, of: other })
      await service.renewAll()
      expect(kind.calls).toEqual([['a', 'c'], ['b']])
      expect(other.calls).toEqual([['d']])
    })

    it('does not lose a lease whose renewal has arrived by the time that what has arrived is read', async () => {
      const { promise, resolve } = Promise.withResolvers<readonly boolean[]>()
      kind.answer = () => promise
      const { lease, losses } = keep('a')
      const { expiresAt } = lease
      await pass(2 * PERIOD_MS)
      while (performance.now() < expiresAt) vi.advanceTimersToNextTimer()
      resolve([true]) // as a reply that is read after the timers
      await pass(0)
      expect(losses).toEqual([])
      expect(lease.expiresAt).toBeGreaterThan(expiresAt)
    })

    it('asks for no more at once than a batch', async () => {
      for (let index = 0; index < 250; index += 1) keep(String(index))
      await service.renewAll()
      expect(kind.calls.map((names) => names.length)).toEqual([100, 100, 50])
      expect(new Set(kind.calls.flat()).size).toBe(250)
    })

    it('renews fifty thousand leases of many slots, and lets others have a turn in between', async () => {
      for (let index = 0; index < 50_000; index += 1) keep(String(index), { slot: index % 16_384 })
      vi.useRealTimers()
      let turns = 0
      const ticking = setInterval(() => (turns += 1))
      await service.renewAll()
      clearInterval(ticking)
      expect(new Set(kind.calls.flat()).size).toBe(50_000)
      expect(turns).toBeGreaterThan(0)
    })

    it('does not ask for what was to be renewed when the turn began, and is not any more', async () => {
      vi.useRealTimers() // the turn goes on after an immediate
      for (let index = 0; index < 101; index += 1) keep(String(index), { slot: index })
      const last = keep('last', { slot: 101 })
      const renewing = service.renewAll()
      last.lease.renewed = false
      await renewing
      expect(kind.calls).toHaveLength(101)
      expect(kind.calls.flat()).not.toContain('last')
    })

    it('extends what this process believes, counted from before the request was sent', async () => {
      const { lease } = keep('a')
      const before = lease.expiresAt
      kind.answer = (names) =>
        new Promise((resolve) => setTimeout(() => resolve(names.map(() => true)), PERIOD_MS / 2))
      await pass(1.5 * PERIOD_MS)
      expect(lease.expiresAt).toBeCloseTo(before + PERIOD_MS)
    })

    it('goes on, turn by turn, when Redis cannot be asked', async () => {
      const { losses } = keep('a')
      kind.answer = () => Promise.reject(new ReplyTimeoutError('evalsha', 100))
      await pass(1.5 * PERIOD_MS)
      kind.answer = (names) => names.map(() => true)
      await pass(10 * PERIOD_MS)
      expect(losses).toEqual([])
      expect(kind.calls).toHaveLength(11)
    })

    it('goes on for the others when one of a batch fails all of them', async () => {
      const { losses } = keep('poison')
      const others = [keep('a'), keep('b')]
      kind.answer = (names) => {
        if (names.includes('poison')) throw new Error('planted')
        return names.map(() => true)
      }
      await pass(10 * PERIOD_MS)
      expect(kind.calls.slice(0, 4)).toEqual([['poison', 'a', 'b'], ['poison'], ['a'], ['b']])
      expect(others.map((other) => other.losses)).toEqual([[], []])
      expect(losses).toEqual(['expired'])
    })

    it('does not ask for each of a batch where Redis cannot be asked at all', async () => {
      for (const name of ['a', 'b']) keep(name)
      kind.answer = () => Promise.reject(new ReplyTimeoutError('evalsha', 100))
      await pass(PERIOD_MS)
      expect(kind.calls).toEqual([['a', 'b']])
    })

    describe('while the keys of a slot are at two nodes', () => {
      const cause = new Error('TRYAGAIN Multiple keys request during rehashing of slot')
      const moving = async (names: readonly string[]) => {
        if (names.length > 1) throw new ServerNotReadyError('Redis is not ready', { cause })
        return Promise.resolve([true])
      }

      it('asks for each of a batch alone, where the kind can', async () => {
        const divisible = Object.assign(kind, { divisible: true })
        const kept = [keep('a'), keep('b')]
        divisible.answer = moving
        await pass(2 * LEASE_MS)
        expect(kept.map(({ losses }) => losses)).toEqual([[], []])
        expect(kind.calls.slice(0, 3)).toEqual([['a', 'b'], ['a'], ['b']])
      })

      it('waits for the end of that, where the kind cannot', async () => {
        const kept = [keep('a'), keep('b')]
        kind.answer = moving
        await pass(LEASE_MS)
        expect(kept.map(({ losses }) => losses)).toEqual([['expired'], ['expired']])
        expect(kind.calls.every(({ length }) => length === 2)).toBe(true)
      })
    })

    it('is not held up in one slot by the silence of another', async () => {
      const silent = keep('silent', { slot: 1 })
      const well = keep('well', { slot: 2 })
      kind.answer = (names) => (names.includes('silent') ? new Promise(() => undefined) : [true])
      await pass(10 * PERIOD_MS)
      expect(well.losses).toEqual([])
      expect(silent.losses).toEqual(['expired'])
    })

    it('is not held up by a kind that throws', async () => {
      const broken = new FakeKind('broken')
      broken.answer = () => {
        throw new Error('planted')
      }
      keep('a', { of: broken })
      const { losses } = keep('b')
      await pass(10 * PERIOD_MS)
      expect(losses).toEqual([])
    })

    it('never rejects, so that it may be called by a timer', async () => {
      keep('a')
      kind.answer = () => Promise.reject(new Error('planted'))
      await expect(service.renewAll()).resolves.toBeUndefined()
    })

    it('gives each call no longer than to the next turn', async () => {
      const renew = vi.spyOn(kind, 'renew')
      keep('a')
      await pass(PERIOD_MS)
      const deadline = renew.mock.calls[0]?.at(2) as { passed: boolean } | undefined
      expect(deadline?.passed).toBe(false)
      await pass(PERIOD_MS)
      expect(deadline?.passed).toBe(true)
    })
  })

  describe('failing', () => {
    const failWith = async (error: Error, name: string) => {
      kind = new FakeKind(name)
      kind.answer = () => Promise.reject(error)
      keep('a')
      keep('b')
      await pass(5 * PERIOD_MS)
    }

    it('is reported once, with the kind of the leases and the words of the server', async () => {
      await failWith(new Error('lock/renew: NOPERM this user has no permissions'), 'fails')
      expect(emitWarning.mock.calls).toEqual([
        [
          'Leases of the kind fails cannot be renewed, and end unless that changes: ' +
            'lock/renew: NOPERM this user has no permissions',
          { code: 'REDISSON_RENEWAL_FAILED' },
        ],
      ])
    })

    it('is reported for each kind', async () => {
      await failWith(new Error('planted'), 'one')
      await failWith(new Error('planted'), 'two')
      expect(emitWarning).toHaveBeenCalledTimes(2)
    })

    it('is reported without the arguments that a server repeats', async () => {
      const words = "lock/renew: ERR unknown command 'evalsha', with args beginning with: 'secret' '1' 'name'"
      await failWith(new Error(words), 'repeats')
      const [[message] = []] = emitWarning.mock.calls
      expect(message).toContain("unknown command 'evalsha'")
      expect(message).not.toContain('secret')
    })

    it.each([
      ['Redis is not ready', new ServerNotReadyError('Redis is not ready: BUSY')],
      ['Redis does not answer', new ReplyTimeoutError('evalsha', 100)],
      ['the client is shut down', new ClientClosedError()],
    ])('is not reported while %s', async (name, error) => {
      await failWith(error, name)
      expect(emitWarning).not.toHaveBeenCalled()
    })
  })

  describe('losing', () => {
    it('is reported once to a lease that is not held any more, and to no other', async () => {
      const [a, b, c] = [keep('a'), keep('b'), keep('c')]
      kind.answer = (names) => names.map((name) => name !== 'b')
      await pass(5 * PERIOD_MS)
      expect([a, b, c].map(({ losses }) => losses)).toEqual([[], ['not-held'], []])
      expect(kind.calls.slice(1)).toEqual(Array.from({ length: 4 }, () => ['a', 'c']))
    })

    it('counts an answer that is missing as a no', async () => {
      const { losses } = keep('a')
      kind.answer = () => []
      await pass(PERIOD_MS)
      expect(losses).toEqual(['not-held'])
    })

    it('is decided by the clock where Redis cannot be asked for a whole lease', async () => {
      const { lease, losses } = keep('a')
      kind.answer = () => Promise.reject(new ReplyTimeoutError('evalsha', 100))
      await vi.advanceTimersByTimeAsync(lease.expiresAt - performance.now() - 1)
      expect(losses).toEqual([])
      await pass(2)
      expect(losses).toEqual(['expired'])
    })

    it('is decided by the clock for a lease without renewal', async () => {
      const short = keep('short', { renewed: false, leaseMs: 100 })
      const long = keep('long', { renewed: false, leaseMs: 500 })
      await pass(100)
      expect([short.losses, long.losses]).toEqual([['expired'], []])
      await pass(400)
      expect([short.losses, long.losses]).toEqual([['expired'], ['expired']])
    })

    it('is decided by the clock at the new end, where a lease was extended meanwhile', async () => {
      const { lease, losses } = keep('a', { renewed: false, leaseMs: 100 })
      lease.confirm(performance.now(), 1_000)
      service.track(lease)
      await pass(900)
      expect(losses).toEqual([])
      await pass(100)
      expect(losses).toEqual(['expired'])
    })

    it('is not reported to a lease that was given back while it was being renewed', async () => {
      const { lease, losses } = keep('a')
      const answer = Promise.withResolvers<readonly boolean[]>()
      kind.answer = () => answer.promise
      await pass(PERIOD_MS)
      service.untrack(lease)
      answer.resolve([false])
      await pass(LEASE_MS)
      expect(losses).toEqual([])
    })

    it('does not bring a lease back that the clock has ended, when an answer comes late', async () => {
      const { lease, losses } = keep('a')
      const answer = Promise.withResolvers<readonly boolean[]>()
      kind.answer = () => answer.promise
      await pass(LEASE_MS)
      expect(losses).toEqual(['expired'])
      answer.resolve([true])
      await pass(1)
      expect(lease.expired).toBe(true)
      expect(service.size).toBe(0)
    })
  })

  describe('its timer', () => {
    it('is one for all leases', () => {
      for (let index = 0; index < 100; index += 1) keep(String(index), { leaseMs: 1_000 + index })
      expect(vi.getTimerCount()).toBe(1)
    })

    it('stops with the last lease', async () => {
      const leases = [keep('a'), keep('b')]
      await pass(PERIOD_MS)
      for (const { lease } of leases) service.untrack(lease)
      await pass(PERIOD_MS)
      expect(vi.getTimerCount()).toBe(0)
      expect(service.size).toBe(0)
    })

    it('starts again with the next lease', async () => {
      service.untrack(keep('a').lease)
      await pass(5 * PERIOD_MS)
      keep('b')
      await pass(PERIOD_MS)
      expect(kind.calls).toEqual([['b']])
    })

    it('keeps no process alive', () => {
      vi.useRealTimers()
      const timersBefore = countTimers()
      keep('a')
      expect(countTimers()).toBe(timersBefore)
    })

    it('is not repeated once a lease is not to be renewed, and begins anew for the others', async () => {
      const { promise, reject } = Promise.withResolvers<readonly boolean[]>()
      kind.answer = () => promise
      const [a, b] = [keep('a'), keep('b')]
      await pass(PERIOD_MS)
      expect(kind.deadline.passed).toBe(false)
      const lost = Date.now()
      const { deadline } = kind
      a.lease.renewed = false
      expect(deadline.passed).toBe(true)
      kind.answer = (names) => names.map(() => true)
      reject(new ReplyTimeoutError('server', 100))
      await pass(0)
      expect(kind.calls).toEqual([['a', 'b'], ['b']])
      expect(Date.now()).toBe(lost)
      expect(b.losses).toEqual([])
    })

    it('is waited for by a request for another lease', async () => {
      const { promise, resolve } = Promise.withResolvers<readonly boolean[]>()
      kind.answer = () => promise
      const [a, b] = [keep('a'), keep('b', { renewed: false })]
      await pass(PERIOD_MS)
      const quiet = vi.fn()
      void service.quiet(a.lease).then(quiet)
      await service.quiet(b.lease)
      await pass(0)
      expect(quiet).not.toHaveBeenCalled()
      resolve([true])
      await pass(0)
      expect(quiet).toHaveBeenCalled()
      await service.quiet(a.lease)
    })

    it('belongs to no flow', async () => {
      const flow = new AsyncLocalStorage<string>()
      const seen: unknown[] = []
      kind.answer = (names) => {
        seen.push(flow.getStore())
        return names.map(() => true)
      }
      flow.run('request', () => keep('a'))
      await pass(2 * PERIOD_MS)
      expect(seen).toEqual([undefined, undefined])
    })
  })

  describe('draining', () => {
    const drained = async (withinMs: number) => {
      const done = vi.fn()
      await Promise.race([service.drained(withinMs).then(done), pass(0)])
      return done
    }

    it('waits until everything has been given back or has ended, and renews it until then', async () => {
      const [a, b] = [keep('a'), keep('b', { renewed: false, leaseMs: 2 * PERIOD_MS })]
      const done = await drained(Infinity)
      await pass(2 * PERIOD_MS)
      expect(kind.calls).toEqual([['a'], ['a']])
      expect(b.losses).toEqual(['expired'])
      expect(done).not.toHaveBeenCalled()
      service.untrack(a.lease)
      await pass(0)
      expect(done).toHaveBeenCalledOnce()
    })

    it('waits for a certain time at most', async () => {
      const { losses } = keep('a')
      const done = await drained(50)
      await pass(49)
      expect(done).not.toHaveBeenCalled()
      await pass(1)
      expect(done).toHaveBeenCalledOnce()
      expect(losses).toEqual([])
      await service.drained(0)
    })

    it('looks at all leases once, and not again with each that ends', async () => {
      const kept = Array.from({ length: 10 }, (_, at) => keep(`lease ${String(at)}`))
      const done = await drained(Infinity)
      const looks = vi.spyOn(Set.prototype, Symbol.iterator)
      for (const { lease } of kept.slice(0, -1)) service.untrack(lease)
      const looked = looks.mock.calls.length
      looks.mockRestore()
      expect(looked).toBe(0) // an iterator passes over all that was deleted before the first
      expect(done).not.toHaveBeenCalled()
      for (const { lease } of kept.slice(-1)) service.untrack(lease)
      await pass(0)
      expect(done).toHaveBeenCalledOnce()
    })

    it('waits for nothing that another process may look after', async () => {
      const holder = { onLeaseLost: () => undefined, handedOn: true }
      const lease = new Lease({ kind, name: 'a', owner: 'o', slot: 0 }, holder)
      lease.confirm(performance.now(), LEASE_MS)
      service.track(lease)
      await service.drained(Infinity)
      expect(service.close()).toEqual([])
    })

    it('leaves no timer behind', async () => {
      const lease = endlessLease({ onLeaseLost: () => undefined })
      service.track(lease)
      const done = await drained(60_000)
      service.untrack(lease)
      await pass(0)
      expect(done).toHaveBeenCalledOnce()
      expect(vi.getTimerCount()).toBe(0)
    })
  })

  describe('closing', () => {
    it('ends every lease, because it is not renewed any more', async () => {
      const [a, b] = [keep('a'), keep('b', { renewed: false })]
      expect(service.close()).toEqual([a.lease, b.lease])
      expect([a.losses, b.losses]).toEqual([['closed'], ['closed']])
      expect(service.size).toBe(0)
      await pass(5 * PERIOD_MS)
      expect(kind.calls).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
}
