import { describe, expect, it } from 'vitest'
import type { Contender } from '../../bench/contenders/contender.js'
import { floor } from '../../bench/contenders/floor.js'
import { ioredisson } from '../../bench/contenders/ioredisson.js'
import { redisSemaphore } from '../../bench/contenders/redis-semaphore.js'
import { redlock } from '../../bench/contenders/redlock.js'
import { simpleRedisMutex } from '../../bench/contenders/simple-redis-mutex.js'
import { readOptions } from '../../bench/options.js'
import { cannotLines, tableOf, targetLines } from '../../bench/report/text.js'
import { Standings, type Pair, type Result } from '../../bench/standings.js'
import { oneProcess } from '../../bench/workloads/contended.js'
import { uncontended } from '../../bench/workloads/uncontended.js'

describe('the standings', () => {
  it('compare those that were measured one after the other', () => {
    const standings = standingsOf([[floor, [pair(100, 50), pair(10, 20), pair(30, 30)]]])
    expect(standings.floor?.toOurs).toBe(1)
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
      'at least 2 times the best peer: NOT MET, 0.67 times redis-semaphore',
    )
    expect(tableOf(standings).flat()).toContain('LOST 1')
  })

  it('meet a target that is met', () => {
    const standings = standingsOf([[redlock, [pair(10, 20)]]])
    expect(targetLines(standings)).toContain('at least 2 times the best peer: met, 2.00 times redlock')
  })

  it('have no ratio of what failed, and say why', () => {
    const standings = standingsOf([[redlock, [{ theirs: { failure: 'TIMEOUT' }, ours: result(20) }]]])
    expect(standings.bestPeer()).toBe(undefined)
    expect(tableOf(standings).flat()).toContain('TIMEOUT')
    expect(targetLines(standings)).toContain('at least 2 times the best peer: nobody to compare with')
  })

  it('say who cannot do it, and why', () => {
    const fair = { ...uncontended, kind: 'fair-lock' } as const
    const standings = new Standings(fair, ioredisson, { alone: [result(1)], pairs: new Map([[redlock, []]]) })
    expect(cannotLines(standings)).toEqual(['redlock cannot: there is none'])
  })
})

describe('the options', () => {
  it('are everything, unless somebody says less', () => {
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
    { args: ['--only', 'hope'], complaint: 'Expected `--only` to name one of uncontended' },
    { args: ['--peers', 'nobody'], complaint: 'Expected `--peers` to name one of redlock' },
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
