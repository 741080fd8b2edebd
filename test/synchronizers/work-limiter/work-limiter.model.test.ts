import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GcraLimit } from '../../../src/index.js'
import { limitsOf } from '../../../src/synchronizers/shared/limits.js'
import { LocalLimiter } from '../../../src/synchronizers/gcra-rate-limiter/local-limiter.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { excesses, type Pass } from '../gcra-rate-limiter/clocked.js'
import { Clocked, type Asked } from './clocked.js'
import { Fleet } from './fleet.js'

const HOUR_MS = 3_600_000
const LEASE_US = 30_000_000
const RATE: GcraLimit = { limit: 10, perMs: 1000, burst: 5 }

/** The seed is the gate's. */
const given = (numRuns: number) => ({ numRuns, seed: 57, endOnFailure: true })

/** One request of one of some queues, and the time before it. */
interface Step {
  readonly do: 'ask' | 'give back' | 'refund' | 'leave'
  readonly afterMs: number
  readonly queue: number
  readonly priority: number
  readonly weights: readonly number[]
  readonly which: number
  /** Whether its reply is lost, so that a copy follows. */
  readonly isTwice: boolean
}

const steps = (...calls: readonly Step['do'][]) =>
  fc.array(
    fc.record({
      do: fc.constantFrom(...calls),
      afterMs: fc.oneof(fc.constantFrom(0, 0, 1, 50), fc.integer({ min: 0, max: 4000 })),
      queue: fc.integer({ min: 0, max: 3 }),
      priority: fc.constantFrom(0, 0, 0, 1, -1),
      weights: fc.array(fc.constantFrom(1, 1, 2, 3), { minLength: 1, maxLength: 4 }),
      which: fc.nat(),
      isTwice: fc.boolean(),
    }),
    { minLength: 20, maxLength: 120 },
  )

interface Held {
  readonly id: string
  readonly first: number
  readonly weight: number
  readonly endsAt: number
}

interface Turn {
  readonly priority: number
  /** How many had begun to wait before, of all priorities. */
  readonly number: number
}

interface Waiting extends Turn {
  readonly waiter: string
  readonly goneAt: number
}

/** A limiter in one process, without a server: what the scripts shall do. */
class Model {
  readonly held: Held[] = []
  readonly #concurrency: number
  /** The most cells that are there at once. */
  readonly #burst: number
  readonly #rate: LocalLimiter | undefined
  /** The first comes first. */
  #waiting: Waiting[] = []
  #comers = 0

  constructor(concurrency: number, burst: number, rate: LocalLimiter | undefined) {
    this.#concurrency = concurrency
    this.#burst = burst
    this.#rate = rate
  }

  used(now: number): number {
    return this.held.filter(({ endsAt }) => endsAt > now).reduce((sum, { weight }) => sum + weight, 0)
  }

  /** Grants what the first in the order may have. Returns how many functions may begin. */
  ask(now: number, { id, waiter, priority = 0, weights }: Asked): number {
    this.#forgetGone(now, waiter)
    const other = this.#waiting.find((each) => each.waiter !== waiter)
    let own = this.#waiting.find((each) => each.waiter === waiter)
    const share = this.#shareOf(priority, other)
    let granted = 0
    let first = 1
    for (const weight of weights) {
      if (granted > 0 && first - 1 + weight > share) own = undefined
      if (other !== undefined && this.#isBefore(other, { priority, number: own?.number ?? Infinity })) break
      if (this.used(now) + weight > this.#concurrency) break
      if (this.#rate !== undefined && !this.#rate.consume('all', weight).passes) break
      this.held.push({ id, first, weight, endsAt: now + LEASE_US })
      granted += 1
      first += weight
    }
    if (granted > 0 || own === undefined) this.#drop(waiter)
    return granted
  }

  /** What a queue may take while another one of its priority waits. */
  #shareOf(priority: number, other: Turn | undefined): number {
    if (other === undefined || other.priority < priority) return Infinity
    const queues = this.#waiting.filter((each) => each.priority === priority).length
    return Math.ceil(Math.min(this.#concurrency, this.#burst) / Math.max(queues, 2))
  }

  /** Has a queue wait, behind all others of its priority if it does not yet. It keeps its place among all when its priority changes. */
  wait(now: number, { waiter, priority = 0 }: Asked, retryMs: number): void {
    const goneAt = now - (now % 1000) + (retryMs + 3000) * 1000
    const number = this.#waiting.find((each) => each.waiter === waiter)?.number ?? (this.#comers += 1)
    this.#drop(waiter)
    this.#waiting.push({ waiter, priority, number, goneAt })
    this.#waiting.sort((one, another) => (this.#isBefore(one, another) ? -1 : 1))
  }

  /** A queue that is called counts as gone if it has not asked a second after it shall. */
  call(now: number, message: string): void {
    const [called, inMs = ''] = message.split(' ')
    if (inMs === '') return
    const latest = now - (now % 1000) + (Number(inMs) + 1000) * 1000
    this.#waiting = this.#waiting.map((each) =>
      each.waiter === called ? { ...each, goneAt: Math.min(each.goneAt, latest) } : each,
    )
  }

  leave(now: number, waiter: string): void {
    const size = this.#waiting.length
    this.#drop(waiter)
    if (this.#waiting.length < size) this.#forgetGone(now)
  }

  giveBack(now: number, held: Held): void {
    this.held.splice(this.held.indexOf(held), 1)
    this.#forgetGone(now)
  }

  #isBefore(one: Turn, another: Turn): boolean {
    if (one.priority !== another.priority) return one.priority > another.priority
    return one.number < another.number
  }

  /** Each look at the first queue forgets those before it that are gone. */
  #forgetGone(now: number, except?: string): void {
    const others = this.#waiting.filter(({ waiter }) => waiter !== except)
    const there = others.findIndex(({ goneAt }) => goneAt > now - (now % 1000))
    const gone = others.slice(0, there === -1 ? others.length : there)
    this.#waiting = this.#waiting.filter((each) => !gone.includes(each))
  }

  #drop(waiter: string): void {
    this.#waiting = this.#waiting.filter((each) => each.waiter !== waiter)
  }
}

describe.each([
  ['4 places', 4, []],
  ['6 places, 10 a second and 5 at once', 6, [RATE]],
  [
    '3 places, 7 in 2 s and 40 an hour',
    3,
    [
      { limit: 7, perMs: 2000, burst: 3 },
      { limit: 40, perMs: HOUR_MS },
    ],
  ],
] as const)('a work limiter of %s, by a clock of its own', (_, concurrency, limits) => {
  noLeaks(single)

  let runs = 0
  const fresh = () => new Clocked(single.nodes[0], `clocked-work-${String((runs += 1))}`, concurrency, limits)

  it('grants what a limiter of one process would, once for all copies of a request', async () => {
    await fc.assert(
      fc.asyncProperty(steps('ask', 'ask', 'ask', 'give back', 'leave'), async (calls) => {
        const clocked = fresh()
        const rate = limits.length === 0 ? undefined : new LocalLimiter(limitsOf(limits), () => clocked.now)
        const burst = Math.min(...limits.map((each: GcraLimit) => each.burst ?? each.limit))
        const model = new Model(concurrency, burst, rate)
        const passes: Pass[] = []
        for (const [step, call] of calls.entries()) {
          clocked.now += call.afterMs * 1000
          const { priority, weights, isTwice } = call
          const waiter = `w${String(call.queue)}`
          const asked = { id: `r${String(step)}`, waiter, weights, priority }
          if (call.do === 'ask') {
            const granted = model.ask(clocked.now, asked)
            const reply = await clocked.ask(asked)
            expect(reply.granted).toBe(granted)
            if (granted < weights.length) model.wait(clocked.now, asked, reply.retryMs)
            else model.leave(clocked.now, waiter)
            if (isTwice && granted > 0)
              expect((await clocked.ask({ ...asked, isCopy: true })).granted).toBe(granted)
            for (const cost of weights.slice(0, granted)) passes.push({ at: clocked.now, cost })
          } else if (call.do === 'give back' && model.held.length > 0) {
            const held = model.held[call.which % model.held.length] as Held
            model.giveBack(clocked.now, held)
            const { freed } = await clocked.giveBack(held.id, held.first, held.weight)
            if (held.endsAt > clocked.now) expect(freed).toBe(held.weight)
            if (isTwice) expect((await clocked.giveBack(held.id, held.first, held.weight)).freed).toBe(0)
          } else if (call.do === 'leave') {
            model.leave(clocked.now, waiter)
            await clocked.leave(waiter)
          }
          for (const message of await clocked.calls()) model.call(clocked.now, message)
          expect(model.used(clocked.now)).toBeLessThanOrEqual(concurrency)
        }
        await clocked.forget()
        expect(excesses(passes, limits)).toEqual([])
      }),
      given(25),
    )
  })

  it.each([0, 200])(
    'lets no more begin in any window, whatever is given back that did not begin, with %d ms ahead',
    async (aheadMs) => {
      await fc.assert(
        fc.asyncProperty(steps('ask', 'ask', 'refund', 'give back'), async (calls) => {
          const clocked = fresh()
          const passes: (Pass & { readonly id: string; readonly first: number })[] = []
          for (const [step, call] of calls.entries()) {
            clocked.now += Math.min(call.afterMs, 300) * 1000
            const id = `r${String(step)}`
            if (call.do === 'ask') {
              const asked = { id, waiter: id, weights: call.weights, enters: false, aheadMs }
              const { begins } = await clocked.ask(asked)
              let first = 1
              for (const [index, inMs] of begins.entries()) {
                const cost = call.weights[index] ?? 0
                passes.push({ at: clocked.now + inMs * 1000, cost, id, first })
                first += cost
              }
              if (call.isTwice) expect((await clocked.ask({ ...asked, isCopy: true })).begins).toEqual(begins)
              continue
            }
            const pass = passes[call.which % passes.length]
            if (pass === undefined) continue
            const refund = call.do === 'refund'
            const { freed } = await clocked.giveBack(pass.id, pass.first, pass.cost, { refund })
            if (refund && freed > 0) passes.splice(passes.indexOf(pass), 1)
            expect(await clocked.places()).toBeLessThanOrEqual(concurrency)
          }
          await clocked.forget()
          expect(excesses(passes, limits)).toEqual([])
        }),
        given(25),
      )
    },
  )
})

describe('a work limiter, by a clock of its own', () => {
  noLeaks(single)

  let runs = 0
  const fresh = (concurrency: number, ...limits: readonly GcraLimit[]) =>
    new Clocked(single.nodes[0], `clocked-works-${String((runs += 1))}`, concurrency, limits)

  it('grants nothing to a copy that arrives after another one, or after all was undone', async () => {
    const clocked = fresh(1, RATE)
    const asked = { id: 'a', waiter: 'w', weights: [1], enters: false }
    expect(await clocked.ask({ ...asked, isCopy: true })).toMatchObject({ granted: 1 })
    await clocked.giveBack('a', 1, 1)
    await clocked.ask(asked)
    expect(await clocked.places()).toBe(0)
    const undone = { ...asked, id: 'b' }
    const level = await clocked.level()
    await clocked.ask(undone)
    await clocked.giveBack('b', 1, 1, { refund: true, undo: true })
    expect(await clocked.level()).toBe(level)
    await clocked.ask(undone)
    await clocked.ask({ ...undone, isCopy: true })
    expect([await clocked.places(), await clocked.level()]).toEqual([0, level])
    await clocked.giveBack('c', 1, 1, { refund: true, undo: true })
    await clocked.ask({ ...asked, id: 'c' })
    expect([await clocked.places(), await clocked.level()]).toEqual([0, level])
    await clocked.forget()
  })

  it('gives no cell back that a reset has forgotten, and each that was taken after it', async () => {
    const clocked = fresh(9, { limit: 1, perMs: HOUR_MS, burst: 9 })
    const ask = (id: string, weight: number) =>
      clocked.ask({ id, waiter: id, weights: [weight], enters: false })
    await ask('lost', 3)
    clocked.now += 1000
    await clocked.reset()
    clocked.now += 1000
    await ask('begins', 2)
    const level = await clocked.level()
    await ask('unused', 1)
    await clocked.giveBack('lost', 1, 3, { refund: true, undo: true })
    await clocked.giveBack('unused', 1, 1, { refund: true })
    expect([await clocked.places(), await clocked.level()]).toEqual([2, level])
    await clocked.forget()
  })

  it('calls the first queue when a place is given back, and the next one when that has begun', async () => {
    const clocked = fresh(2)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1, 1], enters: false })
    await clocked.ask({ id: 'a', waiter: 'a', weights: [1] })
    await clocked.ask({ id: 'b', waiter: 'b', weights: [1] })
    expect(await clocked.calls()).toEqual([])
    await clocked.giveBack('h', 1, 2)
    expect(await clocked.calls()).toEqual(['a '])
    expect(await clocked.ask({ id: 'b2', waiter: 'b', weights: [1] })).toMatchObject({ granted: 0 })
    expect(await clocked.ask({ id: 'a2', waiter: 'a', weights: [1] })).toMatchObject({ granted: 1 })
    expect(await clocked.calls()).toEqual(['b 0'])
    expect(await clocked.ask({ id: 'b3', waiter: 'b', weights: [1] })).toMatchObject({ granted: 1 })
    expect(await clocked.calls()).toEqual([])
    await clocked.forget()
  })

  it('says a queue when its rate allows the next function, and by itself who comes after it', async () => {
    const clocked = fresh(9, { limit: 10, perMs: 1000, burst: 1 })
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    expect(await clocked.ask({ id: 'a', waiter: 'a', weights: [1] })).toEqual({
      granted: 0,
      begins: [],
      retryMs: 100,
      byRate: true,
    })
    expect(await clocked.ask({ id: 'b', waiter: 'b', weights: [1] })).toMatchObject({ byRate: false })
    clocked.now += 99_000
    expect((await clocked.ask({ id: 'a2', waiter: 'a', weights: [1] })).granted).toBe(0)
    clocked.now += 1_000
    expect((await clocked.ask({ id: 'a3', waiter: 'a', weights: [1] })).granted).toBe(1)
    expect(await clocked.calls()).toEqual(['b 100'])
    await clocked.forget()
  })

  it('lets a queue take its share in its turn, and all of it where no other of its priority waits', async () => {
    const clocked = fresh(10)
    const ask = async (id: string, waiter: string, weights: readonly number[], priority = 0) => {
      const { granted } = await clocked.ask({ id, waiter, weights, priority })
      return granted
    }
    const ones = Array.from({ length: 20 }, () => 1)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [10], enters: false })
    for (const waiter of ['a', 'b', 'c']) await ask(`${waiter}0`, waiter, ones)
    await ask('low', 'd', ones, -1)
    await clocked.giveBack('h', 1, 10)
    expect(await ask('a', 'a', ones)).toBe(4)
    expect(await clocked.calls()).toEqual(['a ', 'b 0'])
    expect(await ask('b', 'b', [3, 3])).toBe(1)
    expect(await ask('c', 'c', ones)).toBe(3)
    for (const waiter of ['b', 'c']) await clocked.leave(waiter)
    await clocked.giveBack('a', 1, 4)
    await clocked.giveBack('b', 1, 3)
    expect(await ask('a2', 'a', ones)).toBe(7)
    await clocked.forget()
  })

  it('begins a heavy function in its turn although it needs more than a share', async () => {
    const clocked = fresh(10)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [10], enters: false })
    await clocked.ask({ id: 'a', waiter: 'a', weights: [9, 1] })
    await clocked.ask({ id: 'b', waiter: 'b', weights: [1] })
    await clocked.giveBack('h', 1, 10)
    expect((await clocked.ask({ id: 'a2', waiter: 'a', weights: [9, 1] })).granted).toBe(1)
    expect((await clocked.ask({ id: 'b2', waiter: 'b', weights: [1] })).granted).toBe(1)
    await clocked.forget()
  })

  describe('with cells that are reserved ahead', () => {
    const ahead = { waiter: 'a', aheadMs: 200 }
    const cellMs = 100
    const used = async (clocked: Clocked) => (await clocked.level()) / (1000 * 1000)

    it('says when each function begins, in time to ask for the next ones', async () => {
      const clocked = fresh(9, { limit: 10, perMs: 1000, burst: 1 })
      expect(await clocked.ask({ ...ahead, id: 'a', weights: [1, 1, 1, 1] })).toEqual({
        granted: 3,
        begins: [0, cellMs, 2 * cellMs],
        retryMs: 2 * cellMs,
        byRate: true,
      })
      clocked.now += 2 * cellMs * 1000
      expect((await clocked.ask({ ...ahead, id: 'a2', weights: [1, 1] })).begins).toEqual([
        cellMs,
        2 * cellMs,
      ])
      await clocked.forget()
    })

    it('divides them among the queues that wait', async () => {
      const clocked = fresh(9, { limit: 100, perMs: 1000, burst: 1 })
      const tens = Array.from({ length: 40 }, () => 1)
      const full = new Clocked(single.nodes[0], `clocked-works-${String(runs)}`, 9)
      await full.ask({ id: 'h', waiter: 'x', weights: [9], enters: false })
      await clocked.ask({ ...ahead, id: 'a', weights: tens })
      await clocked.ask({ ...ahead, id: 'b', waiter: 'b', weights: tens })
      await full.giveBack('h', 1, 9)
      expect((await clocked.ask({ ...ahead, id: 'a2', weights: tens })).begins).toEqual([0, 10, 20, 30, 40])
      expect((await clocked.ask({ ...ahead, id: 'b2', waiter: 'b', weights: tens })).begins).toEqual([
        50, 60, 70, 80,
      ])
      await clocked.forget()
    })

    it('frees those of the last that does not begin, and no others', async () => {
      const clocked = fresh(9, { limit: 10, perMs: 1000, burst: 1 })
      await clocked.ask({ ...ahead, id: 'a', weights: [1, 1, 1] })
      await clocked.giveBack('a', 2, 1, { refund: true })
      expect([await clocked.places(), await used(clocked)]).toEqual([2, 3])
      await clocked.giveBack('a', 3, 1, { refund: true })
      expect([await clocked.places(), await used(clocked)]).toEqual([1, 2])
      expect((await clocked.ask({ ...ahead, id: 'a2', weights: [1] })).begins).toEqual([2 * cellMs])
      await clocked.forget()
    })

    it('frees those of a limit behind which nothing is reserved, whatever other limits say', async () => {
      const limits = [
        { limit: 10, perMs: 1000, burst: 1 },
        { limit: 30, perMs: 3_600_000 },
      ]
      runs += 1
      const clocked = new Clocked(single.nodes[0], `clocked-works-${String(runs)}`, 9, limits)
      await clocked.ask({ ...ahead, id: 'a', weights: [1, 1, 1] })
      await clocked.giveBack('a', 2, 1, { refund: true })
      expect(await used(clocked)).toBe(3)
      expect(Math.round((await clocked.level(3_600_000)) / (3_600_000 * 1000))).toBe(2)
      await clocked.forget()
    })

    it('frees all of a request that is undone', async () => {
      const clocked = fresh(9, { limit: 10, perMs: 1000, burst: 1 })
      await clocked.ask({ ...ahead, id: 'h', weights: [1], enters: false })
      await clocked.ask({ ...ahead, id: 'a', weights: [1, 1], enters: false })
      await clocked.giveBack('a', 1, 2, { refund: true, undo: true })
      expect([await clocked.places(), await used(clocked)]).toEqual([1, 1])
      await clocked.forget()
    })

    it('gives none back that a reset has forgotten', async () => {
      const clocked = fresh(9, { limit: 10, perMs: 1000, burst: 1 })
      await clocked.ask({ ...ahead, id: 'a', weights: [1, 1, 1], enters: false })
      await clocked.reset({ aheadMs: 200 })
      await clocked.ask({ ...ahead, id: 'b', weights: [1, 1, 1], enters: false })
      await clocked.giveBack('a', 1, 3, { refund: true })
      expect([await clocked.places(), await used(clocked)]).toEqual([3, 3])
      await clocked.forget()
    })
  })

  it('lets a queue keep its place when it asks with another priority and gets nothing', async () => {
    const clocked = fresh(1)
    let requests = 0
    const ask = async (waiter: string, priority: number) => {
      const { granted } = await clocked.ask({
        id: `r${String((requests += 1))}`,
        waiter,
        weights: [1],
        priority,
      })
      return granted
    }
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    for (const [waiter, priority] of [
      ['a', 0],
      ['b', 0],
      ['new', 5],
      ['c', 0],
    ] as const)
      expect(await ask(waiter, priority)).toBe(0)
    for (const [waiter, priority] of [
      ['a', 5],
      ['new', -1000],
      ['b', 1000],
      ['b', -1000],
      ['b', 0],
      ['a', 0],
      ['new', 0],
    ] as const)
      expect(await ask(waiter, priority)).toBe(0)
    await clocked.calls()
    await clocked.giveBack('h', 1, 1)
    expect(await clocked.calls()).toEqual(['a '])
    for (const [index, waiter] of ['a', 'b', 'new', 'c'].entries()) {
      for (const behind of ['a', 'b', 'new', 'c'].slice(index + 1)) expect(await ask(behind, 0)).toBe(0)
      expect(await ask(waiter, 0)).toBe(1)
      await clocked.giveBack(`r${String(requests)}`, 1, 1)
    }
    await clocked.forget()
  })

  it('moves a queue behind the others of each priority when a function of it has begun', async () => {
    const clocked = fresh(1)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    await clocked.ask({ id: 'a', waiter: 'a', weights: [1] })
    await clocked.ask({ id: 'b', waiter: 'b', weights: [1] })
    await clocked.ask({ id: 'a2', waiter: 'a', weights: [1, 1], priority: 5 })
    await clocked.giveBack('h', 1, 1)
    expect((await clocked.ask({ id: 'a3', waiter: 'a', weights: [1, 1], priority: 5 })).granted).toBe(1)
    await clocked.ask({ id: 'a4', waiter: 'a', weights: [1] })
    await clocked.calls()
    await clocked.giveBack('a3', 1, 1)
    expect(await clocked.calls()).toEqual(['b '])
    await clocked.forget()
  })

  it('returns whether a queue of the same process is the next, and calls none then', async () => {
    const clocked = fresh(1)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    await clocked.ask({ id: 'a', waiter: 'a', weights: [1] })
    expect(await clocked.giveBack('h', 1, 1, { waiter: 'a' })).toEqual({ freed: 1, isNext: true })
    expect(await clocked.giveBack('h', 1, 1, { waiter: 'a' })).toEqual({ freed: 0, isNext: true })
    expect(await clocked.calls()).toEqual([])
    await clocked.forget()
  })

  it('passes a queue that is gone over, six seconds after it could have had its turn', async () => {
    const clocked = fresh(1)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    const { retryMs } = await clocked.ask({ id: 'a', waiter: 'dead', weights: [1] })
    await clocked.giveBack('h', 1, 1)
    clocked.now += 1_000_000
    const behind = await clocked.ask({ id: 'b', waiter: 'b', weights: [1] })
    expect(behind).toMatchObject({ granted: 0, retryMs: 3000 })
    expect(retryMs).toBe(3000)
    clocked.now += behind.retryMs * 1000
    const again = await clocked.ask({ id: 'b2', waiter: 'b', weights: [1] })
    expect(again).toMatchObject({ granted: 0, retryMs: 2001 })
    clocked.now += again.retryMs * 1000
    expect(await clocked.ask({ id: 'b3', waiter: 'b', weights: [1] })).toMatchObject({ granted: 1 })
    await clocked.forget()
  })

  describe('passes a queue that is gone over, a second after it was called', () => {
    const asked = (waiter: string, ...weights: readonly number[]) => ({ id: waiter, waiter, weights })

    it.each([
      ['reset', (clocked: Clocked) => clocked.reset()],
      ['give back', (clocked: Clocked) => clocked.giveBack('h', 1, 1, { refund: true })],
    ])('by %s', async (_, change) => {
      const clocked = fresh(9, { limit: 1, perMs: 60_000, burst: 1 })
      await clocked.ask({ ...asked('h', 1), enters: false })
      expect(await clocked.ask(asked('dead', 1))).toMatchObject({ granted: 0, retryMs: 60_000 })
      await clocked.ask(asked('b', 1))
      await change(clocked)
      expect(await clocked.calls()).toEqual(['dead 0'])
      clocked.now += 999_000
      expect(await clocked.ask(asked('b', 1))).toMatchObject({ granted: 0, retryMs: 2 })
      clocked.now += 1000
      expect((await clocked.ask(asked('b', 1))).granted).toBe(1)
      await clocked.forget()
    })

    it('by one that leaves', async () => {
      const clocked = fresh(9, { limit: 1, perMs: 5000, burst: 9 })
      await clocked.ask({ ...asked('h', 9), enters: false })
      await clocked.giveBack('h', 1, 9)
      await clocked.ask(asked('a', 1))
      expect(await clocked.ask(asked('dead', 9))).toMatchObject({ retryMs: 45_000 })
      await clocked.ask(asked('b', 1))
      await clocked.leave('a')
      expect(await clocked.calls()).toEqual(['dead 0'])
      clocked.now += 999_000
      expect(await clocked.ask(asked('b', 1))).toMatchObject({ byRate: false })
      clocked.now += 1000
      expect(await clocked.ask(asked('b', 1))).toMatchObject({ byRate: true })
      await clocked.forget()
    })

    it('by one that begins', async () => {
      const clocked = fresh(9, { limit: 1, perMs: 60_000, burst: 3 })
      await clocked.ask({ ...asked('h', 3), enters: false })
      for (const waiter of ['a', 'dead', 'b']) await clocked.ask(asked(waiter, 1))
      await clocked.reset()
      expect((await clocked.ask(asked('a', 1))).granted).toBe(1)
      expect(await clocked.calls()).toEqual(['a 0', 'dead 0'])
      clocked.now += 999_000
      expect((await clocked.ask(asked('b', 1))).granted).toBe(0)
      clocked.now += 1000
      expect((await clocked.ask(asked('b', 1))).granted).toBe(1)
      await clocked.forget()
    })

    it('and no sooner than its rate allows it to begin', async () => {
      const clocked = fresh(9, { limit: 1, perMs: 20_000, burst: 2 })
      await clocked.ask({ ...asked('h', 2), enters: false })
      await clocked.ask(asked('a', 1))
      expect(await clocked.ask(asked('live', 2))).toMatchObject({ retryMs: 40_000 })
      clocked.now += 20_000_000
      expect((await clocked.ask(asked('a', 1))).granted).toBe(1)
      expect(await clocked.calls()).toEqual(['live 20000'])
      clocked.now += 19_999_000
      expect((await clocked.ask(asked('b', 1))).granted).toBe(0)
      clocked.now += 1000
      expect((await clocked.ask({ ...asked('b', 1), enters: false })).granted).toBe(0)
      expect((await clocked.ask(asked('live', 2))).granted).toBe(0)
      await clocked.forget()
    })
  })

  it('frees the places of a process that died when their leases end', async () => {
    const clocked = fresh(1)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    clocked.now += LEASE_US - 1_000_000
    expect(await clocked.ask({ id: 'a', waiter: 'a', weights: [1] })).toMatchObject({ retryMs: 1000 })
    clocked.now += 1_000_000
    expect(await clocked.ask({ id: 'a2', waiter: 'a', weights: [1] })).toMatchObject({ granted: 1 })
    await clocked.forget()
  })

  it('lets a process with fewer places wait for its own number, and others behind it', async () => {
    const [few, many] = [fresh(1), fresh(3)]
    const same = new Clocked(single.nodes[0], `clocked-works-${String(runs)}`, 1)
    await few.forget()
    await many.ask({ id: 'h', waiter: 'x', weights: [1, 1], enters: false })
    expect((await same.ask({ id: 'a', waiter: 'a', weights: [1] })).granted).toBe(0)
    expect((await many.ask({ id: 'b', waiter: 'b', weights: [1] })).granted).toBe(0)
    await many.giveBack('h', 1, 2)
    expect((await same.ask({ id: 'a2', waiter: 'a', weights: [1] })).granted).toBe(1)
    expect((await many.ask({ id: 'b2', waiter: 'b', weights: [1] })).granted).toBe(1)
    await many.forget()
  })

  it('keeps the order of queues when the clock goes back', async () => {
    const clocked = fresh(1)
    await clocked.ask({ id: 'h', waiter: 'x', weights: [1], enters: false })
    await clocked.ask({ id: 'a', waiter: 'a', weights: [1] })
    clocked.now -= 1_000_000
    await clocked.ask({ id: 'b', waiter: 'b', weights: [1] })
    await clocked.giveBack('h', 1, 1)
    expect(await clocked.calls()).toEqual(['a '])
    expect((await clocked.ask({ id: 'b2', waiter: 'b', weights: [1] })).granted).toBe(0)
    expect((await clocked.ask({ id: 'a2', waiter: 'a', weights: [1] })).granted).toBe(1)
    await clocked.forget()
  })
})

describe('a fleet that asks only when it is called', () => {
  noLeaks(single)

  let runs = 0
  const fresh = (concurrency: number, ...limits: readonly GcraLimit[]) =>
    new Clocked(single.nodes[0], `clocked-fleet-${String((runs += 1))}`, concurrency, limits)
  const ones = (functions: number) => Array.from({ length: functions }, () => 1)

  it.each([
    [1, [3, 3]],
    [4, [20, 1, 7]],
    [10, [25, 25, 25, 25]],
    [3, [40]],
  ])('keeps all of %d places taken, with %j functions', async (concurrency, functions) => {
    const clocked = fresh(concurrency)
    const fleet = new Fleet(clocked, functions.map(ones), { functionMs: 300 })
    const all = functions.reduce((sum, each) => sum + each, 0)
    expect(await fleet.run()).toBe(Math.ceil(all / concurrency) * 300)
    expect(fleet.requests).toBeLessThan(all * 2.5 + 10)
    await clocked.forget()
  })

  it.each([0, 200])(
    'begins as many as the rate allows, each as soon as it does, with %d ms ahead',
    async (aheadMs) => {
      const clocked = fresh(50, { limit: 10, perMs: 1000, burst: 5 })
      const fleet = new Fleet(clocked, [ones(20), ones(20), ones(5)], { functionMs: 10, aheadMs })
      expect(await fleet.run()).toBe(40 * 100 + 10)
      expect(fleet.requests).toBeLessThan(45 * 2.5)
      const begun = fleet.begun.map(({ atMs }) => atMs).toSorted((one, other) => one - other)
      expect(begun).toEqual(Array.from({ length: 45 }, (_, index) => Math.max(0, index - 4) * 100))
      await clocked.forget()
    },
  )

  it('lets processes take turns', async () => {
    const clocked = fresh(1)
    const fleet = new Fleet(clocked, [ones(30), ones(10), ones(10)], { functionMs: 100 })
    await fleet.run()
    const shares = [0, 0, 0]
    for (const { process } of fleet.begun.slice(0, 30)) shares[process] = (shares[process] ?? 0) + 1
    expect(shares.every((share) => Math.abs(share - 10) <= 1)).toBe(true)
    await clocked.forget()
  })

  it('never stands still, whatever the functions need', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 15 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom([], [RATE], [{ limit: 3, perMs: 500, burst: 4 }]),
        fc.constantFrom(0, 200),
        async (weights, limits, aheadMs) => {
          const clocked = fresh(4, ...limits)
          const fleet = new Fleet(clocked, weights, { functionMs: 70, aheadMs })
          const elapsedMs = await fleet.run()
          const all = weights.flat()
          const longest = Math.max(0, ...limits.map(({ limit, perMs }) => perMs / limit))
          const cells = all.reduce((sum, each) => sum + each, 0)
          expect(elapsedMs).toBeLessThanOrEqual(all.length * 71 + cells * (longest + 1))
          await clocked.forget()
        },
      ),
      given(15),
    )
  })
})
