import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { cases } from '../../../bench/costs/cases.js'
import { bestOf, dearer } from '../../../bench/costs/dearer.js'
import { costOf } from '../../../bench/costs/in-client.js'
import { microsIn, type ScriptCost } from '../../../bench/costs/in-redis.js'
import { leastScript } from '../../../bench/costs/least.js'
import { REFERENCE } from '../../../bench/costs/reference.js'

const cost = (name: string, us: number, leastUs: number): ScriptCost => ({
  name,
  us,
  leastUs,
  commands: ['get'],
  least: ['get'],
  roundTrips: 1,
})

describe('what calls cost', () => {
  it('is compared with a script of the least commands', () => {
    expect(leastScript(['exists key key:request', 'hset key owner 1', 'pexpire key ms'])).toBe(
      [
        "redis.call('exists', KEYS[1], KEYS[1] .. ':request')",
        "redis.call('hset', KEYS[1], ARGV[1], '1')",
        "redis.call('pexpire', KEYS[1], ARGV[2])",
      ].join('\n'),
    )
  })

  it('is what Redis has counted for each call of a script', () => {
    const stats = [
      '# Commandstats',
      'cmdstat_get:calls=9,usec=9,usec_per_call=1.00',
      'cmdstat_evalsha:calls=4,usec=50,usec_per_call=12.50',
    ].join('\r\n')
    expect(microsIn(stats)).toBe(12.5)
    expect(() => microsIn('# Commandstats')).toThrow('Expected calls of scripts, got none')
  })

  it('names a script that has become more than a fifth dearer, and one that is new', () => {
    const scripts = [cost('grown', 3.7, 2), cost('same', 3.5, 2), cost('new', 3, 2)]
    expect(dearer(scripts, { grown: 1.5, same: 1.5 }).map(({ says }) => says)).toEqual([
      'DEARER grown: 1.85 of the least, which was 1.50',
      'new: nothing to compare with, add 1.50',
    ])
  })

  it('is the best of two measurements, where there are two', () => {
    const [one, other] = [cost('one', 4, 2), cost('other', 5, 3)]
    expect(bestOf([one, other], [cost('other', 4, 3.5)])).toEqual([one, cost('other', 4, 3)])
  })

  it('in the client is compared within each round', () => {
    expect(costOf('lock()', [20, 60, 30], [10, 20, 20])).toEqual({
      name: 'lock()',
      us: 30,
      toBare: { low: 1.75, median: 2, high: 2.5 },
    })
  })

  it('is known of every script', () => {
    const names = cases.flatMap(({ name, steps }) =>
      steps({} as RedissonClient).map((step) => `${name}, ${step.name}`),
    )
    expect(Object.keys(REFERENCE).sort()).toEqual(names.sort())
  })
})
