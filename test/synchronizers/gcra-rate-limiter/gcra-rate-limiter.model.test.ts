import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GcraLimit } from '../../../src/index.js'
import { limitsOf } from '../../../src/synchronizers/shared/limits.js'
import { LocalLimiter } from '../../../src/synchronizers/gcra-rate-limiter/local-limiter.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { Clocked, excesses, type Pass } from './clocked.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From the slowest to the fastest, and those whose cells are no whole number of microseconds. */
const kinds: readonly (readonly [string, readonly GcraLimit[]])[] = [
  ['1 a day', [{ limit: 1, perMs: DAY_MS }]],
  ['1 000 000 a second', [{ limit: 1_000_000, perMs: 1000 }]],
  ['1 000 000 an hour', [{ limit: 1_000_000, perMs: HOUR_MS }]],
  ['10 000 in 30 days', [{ limit: 10_000, perMs: 30 * DAY_MS }]],
  ['7 in 3 ms, evenly', [{ limit: 7, perMs: 3, burst: 1 }]],
  ['3 a second, 20 at once', [{ limit: 3, perMs: 1000, burst: 20 }]],
  [
    '10 a second and 25 an hour',
    [
      { limit: 10, perMs: 1000, burst: 5 },
      { limit: 25, perMs: HOUR_MS },
    ],
  ],
  [
    '7 in 2 s and 100 a day, 10 at once',
    [
      { limit: 7, perMs: 2000 },
      { limit: 100, perMs: DAY_MS, burst: 10 },
    ],
  ],
]

/** One call. The time before it is in cells of the first limit, so that calls are near the edge. */
interface Step {
  readonly do: 'consume' | 'acquire' | 'give back' | 'look again'
  readonly afterCells: number
  readonly cost: number
  readonly which: number
}

const steps = (...calls: readonly Step['do'][]) =>
  fc.array(
    fc.record({
      do: fc.constantFrom(...calls),
      afterCells: fc.oneof(fc.constantFrom(0, 0, 0.5, 1), fc.double({ min: 0, max: 3, noNaN: true })),
      cost: fc.integer({ min: 1, max: 4 }),
      which: fc.nat(),
    }),
    { minLength: 10, maxLength: 80 },
  )

/** The seed is the gate's. */
const given = (numRuns: number) => ({ numRuns, seed: 38, endOnFailure: true })

describe.each(kinds)('a limiter of %s, by a clock of its own', (_, limits) => {
  noLeaks(single)

  const [first] = limitsOf(limits)
  const most = Math.min(...limits.map(({ limit, burst = limit }) => burst))
  let runs = 0
  const fresh = () => new Clocked(single.nodes[0], `clocked-${String((runs += 1))}`, limits)
  const wait = (clocked: Clocked, cells: number) => {
    const cellUs = ((first?.perMs ?? 0) * 1000) / (first?.limit ?? 1)
    clocked.now += Math.round(cells * cellUs)
  }

  it('decides as the limiter of one process does, and lets no more pass in any window', async () => {
    await fc.assert(
      fc.asyncProperty(steps('consume'), async (calls) => {
        const clocked = fresh()
        const local = new LocalLimiter(limitsOf(limits), () => clocked.now)
        const passes: Pass[] = []
        for (const { afterCells, ...call } of calls) {
          wait(clocked, afterCells)
          const cost = Math.min(call.cost, most)
          const kind = call.which % 2 === 0 ? 'any' : 'fitting'
          const { turn: _turn, ...decision } = await clocked.consume(cost, kind)
          expect(decision).toEqual(local.consume('a', cost))
          if (decision.passes) passes.push({ at: clocked.now, cost })
        }
        await clocked.forget()
        expect(excesses(passes, limits)).toEqual([])
      }),
      given(12),
    )
  })

  it('lets a refused request pass after its `retryAfterMs`, and not before', async () => {
    const clocked = fresh()
    while ((await clocked.consume(1)).passes && (await clocked.peek(1)).passes) await clocked.acquire(most)
    const { retryMs, passes } = await clocked.peek(1)
    expect(passes).toBe(false)
    clocked.now += (retryMs - 1) * 1000
    expect(retryMs > 1 && (await clocked.peek(1)).passes).toBe(false)
    clocked.now += 1000
    expect((await clocked.consume(1)).passes).toBe(true)
    await clocked.forget()
  })

  it('gives turns in the order of the requests, none too soon, with any of them given back', async () => {
    await fc.assert(
      fc.asyncProperty(steps('acquire', 'acquire', 'consume', 'give back'), async (calls) => {
        const clocked = fresh()
        const passes: Pass[] = []
        for (const { afterCells, which, ...call } of calls) {
          wait(clocked, call.do === 'acquire' ? afterCells / 8 : afterCells)
          const cost = Math.min(call.cost, most)
          const pending = passes.filter(({ at }) => at > clocked.now)
          if (call.do === 'consume') {
            const { passes: allowed } = await clocked.consume(cost)
            expect(allowed && pending.length > 0).toBe(false)
            if (allowed) passes.push({ at: clocked.now, cost })
          } else if (call.do === 'acquire') {
            const { turn } = await clocked.acquire(cost)
            expect(turn).toBeGreaterThanOrEqual(clocked.now)
            passes.push({ at: turn, cost })
          } else if (pending.length > 0) {
            const pass = pending[which % pending.length] as Pass
            passes.splice(passes.indexOf(pass), 1)
            expect(await clocked.giveBack(pass.at, pass.cost)).toBe(true)
          }
        }
        await clocked.forget()
        expect(excesses(passes, limits)).toEqual([])
      }),
      given(12),
    )
  })

  it('has its level back when all turns were given back, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), async (order) => {
        const clocked = fresh()
        await clocked.acquire(most)
        const before = await clocked.state()
        const turns: number[] = []
        for (const _each of order) turns.push((await clocked.acquire(1)).turn)
        expect(turns).toEqual(turns.toSorted((one, other) => one - other))
        expect(new Set(turns).size).toBe(turns.length)
        for (const which of order) await clocked.giveBack(turns.splice(which % turns.length, 1)[0] ?? 0, 1)
        expect(await clocked.state()).toBe(before)
        await clocked.forget()
      }),
      given(12),
    )
  })

  it('gives the earliest turn that was given back to the next caller that it is in time for', async () => {
    const clocked = fresh()
    await clocked.acquire(most)
    const turns: number[] = []
    for (let each = 0; each < 5; each += 1) turns.push((await clocked.acquire(1)).turn)
    const [early = 0, between = 0, late = 0] = turns
    await clocked.giveBack(early, 1)
    await clocked.giveBack(late, 1)
    expect(await clocked.acquire(1, early - clocked.now - 1)).toMatchObject({ passes: false })
    expect(await clocked.acquire(1, early - clocked.now)).toMatchObject({ passes: true, turn: early })
    clocked.now = between
    expect(await clocked.acquire(1)).toMatchObject({ passes: true, turn: late })
    await clocked.forget()
  })

  it('divides a turn that was given back among callers who want less', async () => {
    if (most === 1) return
    const clocked = fresh()
    await clocked.acquire(most)
    const { turn } = await clocked.acquire(2)
    await clocked.acquire(1)
    const before = await clocked.state()
    await clocked.giveBack(turn, 2)
    expect((await clocked.acquire(1)).turn).toBe(turn)
    expect((await clocked.acquire(1)).turn).toBe(turn)
    expect(await clocked.state()).toBe(`${String(before)}|${String(turn)}=0+`)
    expect((await clocked.acquire(1)).turn).toBeGreaterThan(turn)
    await clocked.forget()
  })

  it('lets none pass a caller who waits for a part of a turn that was given back', async () => {
    if (most === 1) return
    const clocked = fresh()
    await clocked.acquire(most)
    const given = await clocked.acquire(most)
    const last = await clocked.acquire(1)
    await clocked.giveBack(given.turn, most)
    const part = await clocked.acquire(1)
    expect(part.turn).toBe(given.turn)
    await clocked.giveBack(last.turn, 1)
    clocked.now = part.turn - 1
    expect((await clocked.consume(1)).passes).toBe(false)
    const rest = await clocked.acquire(most - 1)
    expect(rest.turn).toBe(given.turn)
    await clocked.giveBack(part.turn, 1) // while another caller waits for the rest
    expect((await clocked.consume(1)).passes).toBe(false)
    await clocked.forget()
  })

  it('keeps what was used when the clock goes back, and drains it from then on', async () => {
    const clocked = fresh()
    await clocked.acquire(most)
    const { rests } = await clocked.peek(1)
    clocked.now -= 2 * 365 * DAY_MS * 1000
    expect(await clocked.consume(1)).toMatchObject({ passes: false, rests })
    clocked.now += Math.max(...rests.map(([, unusedMs]) => unusedMs)) * 1000
    expect((await clocked.consume(most)).passes).toBe(true)
    await clocked.forget()
  })

  it('lets one more burst pass when the clock goes forward and back again', async () => {
    const clocked = fresh()
    await clocked.acquire(most)
    clocked.now += 2 * 365 * DAY_MS * 1000
    expect((await clocked.consume(most)).passes).toBe(true)
    clocked.now -= 2 * 365 * DAY_MS * 1000
    expect((await clocked.consume(most)).passes).toBe(false)
    clocked.now += (await clocked.peek(most)).retryMs * 1000
    expect((await clocked.consume(most)).passes).toBe(true)
    await clocked.forget()
  })

  it('gives back no more than was used', async () => {
    const clocked = fresh()
    const { rests } = await clocked.peek(1)
    await clocked.consume(1)
    expect(await clocked.refund(most)).toMatchObject({ rests })
    expect(await clocked.state()).toBeNull()
    expect(await clocked.refund(most)).toMatchObject({ rests })
    expect((await clocked.consume(most)).passes).toBe(true)
    expect((await clocked.consume(1)).passes).toBe(false)
    await clocked.forget()
  })
})
