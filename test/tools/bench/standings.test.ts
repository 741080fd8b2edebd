import { describe, expect, it } from 'vitest'
import type { Contender } from '../../../bench/contenders/contender.js'
import { floor } from '../../../bench/contenders/floor.js'
import { ioredisson } from '../../../bench/contenders/ioredisson.js'
import { plainIoredis } from '../../../bench/contenders/plain-ioredis.js'
import { ownScripts } from '../../../bench/contenders/own-scripts.js'
import { redisSemaphore } from '../../../bench/contenders/redis-semaphore.js'
import { redlock } from '../../../bench/contenders/redlock.js'
import { simpleRedisMutex } from '../../../bench/contenders/simple-redis-mutex.js'
import { threeRoundTrips } from '../../../bench/contenders/three-round-trips.js'
import { readOptions } from '../../../bench/options.js'
import { cannotLines, tableOf, targetLines } from '../../../bench/report/text.js'
import type { Result } from '../../../bench/outcome.js'
import { Standings, type Pair } from '../../../bench/standings.js'
import { oneProcess } from '../../../bench/workloads/contended.js'
import { uncontended } from '../../../bench/workloads/uncontended.js'
import { counter, topic } from '../../../bench/workloads/values.js'

describe('the standings', () => {
  it('compare those that were measured one after the other', () => {
    const standings = standingsOf([[floor, [pair(100, 50), pair(10, 20), pair(30, 30)]]])
    expect(standings.floor?.toOurs).toEqual({ low: 0.75, median: 1, high: 1.5 })
    expect(standings.floor?.figures?.['perSecond']).toBe(30)
    expect(standings.toFloor(standings.ours)).toBe(1)
  })

  it('know the best peer, and leave out who has lost something', () => {
    const standings = standingsOf([
      [redlock, [pair(10, 20)]],
      [redisSemaphore, [pair(30, 20)]],
      [simpleRedisMutex, [{ theirs: result(99, 1), ours: result(20) }]],
    ])
    expect(standings.bestPeer()?.contender).toBe(redisSemaphore)
    expect(targetLines(standings)).toContain(
      'at least 1 times the best peer: NOT MET, 0.67 times redis-semaphore',
    )
    expect(tableOf(standings).flat()).toContain('LOST 1')
  })

  it('meet a target that is met', () => {
    const standings = standingsOf([[redlock, [pair(10, 20)]]])
    expect(targetLines(standings)).toContain('at least 1 times the best peer: met, 2.00 times redlock')
  })

  it('have the median of pairs and the middle half of them', () => {
    const pairs = [1, 2, 3, 4, 5].map((theirs) => pair(theirs, 10))
    const standings = standingsOf([[redlock, pairs]])
    expect(tableOf(standings).at(-1)).toContain('0.30 (0.20–0.40)')
  })

  it('compare with a bound, which is no peer, and only tell what has no target', () => {
    const standings = standingsOf([[threeRoundTrips, [pair(40, 20), pair(20, 20), pair(25, 20)]]])
    expect(standings.bestPeer()).toBe(undefined)
    expect(targetLines(standings)).toContain('share of its bound, three round trips: 0.80 (0.62–0.89)')
  })

  it('judge what is to reach a share of a reference', () => {
    const row = [pair(20, 20)]
    const standings = new Standings(uncontended, ioredisson, {
      alone: [],
      pairs: new Map([[ownScripts, row]]),
    })
    expect(targetLines(standings)).toContain(
      'at least 0.97 of its own two scripts on bare ioredis: met, 1.00 (1.00–1.00)',
    )
  })

  it('judge each of several figures by its own ratio to the floor, and show that beside it', () => {
    const values = (one: number, many: number): Result => ({
      figures: { 'counter.increment 1': one, 'counter.increment 100': many },
      lost: 0,
      waitsMs: [],
    })
    const floorPairs = [1, 2, 3].map((factor) => ({
      theirs: values(100, 1_000 * factor),
      ours: values(96, 900 * factor),
    }))
    const javaPairs = [{ theirs: values(48, 450), ours: values(96, 900) }]
    const standings = new Standings(counter, ioredisson, {
      alone: [],
      pairs: new Map([
        [plainIoredis, floorPairs],
        [redlock, javaPairs],
      ]),
    })
    expect(targetLines(standings)).toEqual(
      expect.arrayContaining([
        'increments/s, 1: at least 0.95 of the floor: met, 0.96 (0.96–0.96)',
        'increments/s, 100: at least 1 of the floor: NOT MET, 0.90 (0.90–0.90)',
      ]),
    )
    expect(tableOf(standings)).toEqual([
      ['', 'increments/s, 1', 'increments/s, 100', ''],
      ['plain ioredis', '100 (1.00)', '2000 (1.00)', ''],
      ['ioredisson', '96 (0.96)', '1350 (0.90)', ''],
      ['redlock', '48 (0.48)', '450 (0.45)', ''],
    ])
  })

  it('judge what is better where it is less', () => {
    const pairs = [
      { theirs: { ...result(1), figures: { p50: 0.1 } }, ours: { ...result(1), figures: { p50: 0.12 } } },
    ]
    const standings = new Standings(topic, ioredisson, { alone: [], pairs: new Map([[plainIoredis, pairs]]) })
    expect(targetLines(standings)[0]).toBe('p50 ms: at most 1.11 of the floor: NOT MET, 1.20 (1.20–1.20)')
  })

  it('have no ratio of what failed, and say why', () => {
    const standings = standingsOf([[redlock, [{ theirs: { failure: 'TIMEOUT' }, ours: result(20) }]]])
    expect(standings.bestPeer()).toBe(undefined)
    expect(tableOf(standings).flat()).toContain('TIMEOUT')
    expect(targetLines(standings)).toContain('at least 1 times the best peer: nothing to compare with')
  })

  it('say who cannot do it, and why', () => {
    const fair = { ...uncontended, kind: 'fair-lock' } as const
    const standings = new Standings(fair, ioredisson, { alone: [result(1)], pairs: new Map([[redlock, []]]) })
    expect(cannotLines(standings)).toEqual(['redlock cannot: there is none'])
  })
})

describe('the options', () => {
  it('are everything by default', () => {
    expect(readOptions([])?.workloads).toContain('shop')
    expect(
      readOptions(['--only', 'uncontended,waiting', '--peers', 'redlock', '--rounds', '7']),
    ).toMatchObject({
      workloads: ['uncontended', 'waiting'],
      peers: ['redlock'],
      sizes: { rounds: 7 },
    })
    expect(readOptions(['--peers', 'none', '--json'])).toMatchObject({ peers: [], outputs: ['json'] })
    expect(readOptions(['--help'])).toBe(undefined)
  })

  it.each([
    { args: ['--only', 'hope'], complaint: 'Expected `--only` to be one of uncontended' },
    { args: ['--peers', 'unknown'], complaint: 'Expected `--peers` to be one of redlock' },
    { args: ['--rounds', 'many'], complaint: 'Expected `--rounds` to be a whole number from 1, got "many"' },
    { args: ['--fast'], complaint: '--fast' },
  ])('refuse $args', ({ args, complaint }) => {
    expect(() => readOptions(args)).toThrow(complaint)
  })
})

function standingsOf(pairs: readonly (readonly [Contender, readonly Pair[]])[]): Standings {
  return new Standings(oneProcess, ioredisson, { alone: [], pairs: new Map(pairs) })
}

function pair(theirs: number, ours: number): Pair {
  return { theirs: result(theirs), ours: result(ours) }
}

function result(perSecond: number, lost = 0): Result {
  return { figures: { perSecond }, lost, waitsMs: [] }
}
