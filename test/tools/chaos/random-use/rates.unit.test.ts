import { expect, it } from 'vitest'
import { checkRates } from '../../../../chaos/random-use/check/rates.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, LOCK, whatOf } from './conditions.js'

const limited = conditions({
  resources: [{ ...LOCK, rules: 'rate', permits: 2 }],
  intervalsMs: new Map([['lock', 100]]),
})

function granted(...times: readonly (readonly [fromMs: number, toMs: number])[]) {
  const tale = new Tale()
  times.forEach((time, index) => tale.acquires('p1.0/1', `h${String(index)}`, time))
  return whatOf(checkRates(entriesOf(tale), limited))
}

it('a rate is kept by grants that may have been in different intervals', () => {
  expect(granted([0, 10], [5, 20], [20, 105])).toEqual([])
})

it('a rate is broken by grants that were in one interval for certain', () => {
  expect(granted([0, 10], [5, 20], [20, 95])).toEqual(['rate: lock: 3 in 100 ms, the rate is 2'])
})
