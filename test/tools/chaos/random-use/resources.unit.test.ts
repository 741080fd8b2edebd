import { describe, expect, it } from 'vitest'
import { checkResources } from '../../../../chaos/random-use/check/resources.js'
import { deliveryOf, groupOf, type Resource } from '../../../../chaos/random-use/objects.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, LOCK, whatOf } from './conditions.js'

function check(tale: Tale, some: Parameters<typeof conditions>[0] = {}): string[] {
  return whatOf(checkResources(entriesOf(tale), conditions(some)))
}

describe('resources', () => {
  it('may be used by one after the other', () => {
    expect(check(new Tale().visits('p1.0/1', 'h1', [2, 5]).visits('p2.0/1', 'h2', [6, 9]))).toEqual([])
  })

  it('may not be used by two at once', () => {
    expect(check(new Tale().visits('p1.0/1', 'h1', [2, 6]).visits('p2.0/1', 'h2', [5, 9]))).toEqual([
      'too-many-holders: lock: expected one holder at a time of lock, got 2 for 1.0 ms: p1.0/1, p2.0/1',
    ])
  })

  it('may be used by two at once if they are forced open', () => {
    const tale = new Tale().visits('p1.0/1', 'h1', [2, 6]).visits('p2.0/1', 'h2', [5, 9])
    expect(check(tale, { forced: new Set(['lock']) })).toEqual([])
  })

  it('are judged each by itself, by the rules of its kind', () => {
    const both = (name: string) =>
      new Tale()
        .acquires('p1.0/1', 'h1', [1, 2], { name, side: 'read' })
        .acquires('p2.0/1', 'h2', [1, 2], { name, side: 'read' })
        .step('h1', 5)
        .step('h2', 5)
    const sides: Resource = { ...LOCK, name: 'prices', rules: 'rw' }
    expect(check(both('prices'), { resources: [LOCK, sides] })).toEqual([])
    expect(check(both('lock'), { resources: [LOCK, sides] })).toHaveLength(1)
  })

  it('have no more permits than were set', () => {
    const seats: Resource = { ...LOCK, rules: 'semaphore', permits: 2 }
    const visits = (count: number) => {
      const tale = new Tale()
      for (let number = 1; number <= count; number += 1)
        tale.visits(`p${String(number)}.0/1`, `h${String(number)}`, [2, 6])
      return tale
    }
    expect(check(visits(2), { resources: [seats] })).toEqual([])
    expect(check(visits(3), { resources: [seats] })).toHaveLength(1)
  })

  it('mint rising tokens, if they mint any, and not every form has to tell them', () => {
    const fenced: Resource = { ...LOCK, rules: 'fenced' }
    const tale = (...tokens: (number | undefined)[]) => {
      const tale = new Tale()
      tokens.forEach((token, index) =>
        tale.visits('p1.0/1', `h${String(index)}`, [10 * index + 2, 10 * index + 5], token),
      )
      return tale
    }
    expect(check(tale(1, undefined, 2), { resources: [fenced] })).toEqual([])
    expect(check(tale(2, undefined, 1), { resources: [fenced] })).toEqual([
      'token-out-of-order: lock: expected a token larger than 2, which h0 of p1.0/1 got before, got 1 for h2 of p1.0/1',
    ])
  })

  it.each([
    ['message', deliveryOf({ kind: 'messages', name: 'orders' }, 'a')],
    ['group of messages', groupOf({ kind: 'messages', name: 'orders' }, 'a')],
  ])('have no two live deliveries of one %s', (_, { name }) => {
    const deliveries = (...from: number[]) => {
      const tale = new Tale()
      for (const [n, at] of from.entries())
        tale
          .acquires(`p${String(n)}.0/1`, `h${String(n)}`, [at, at + 1], { name })
          .step(`h${String(n)}`, at + 5)
      return tale
    }
    expect(check(deliveries(1, 7), { resources: [] })).toEqual([])
    expect(check(deliveries(1, 4), { resources: [] })).toHaveLength(1)
  })

  it('answer every call before their process ends', () => {
    const tale = (toMs?: number) =>
      new Tale()
        .starts('p1.0')
        .acquires('p1.0/1', 'h1', toMs === undefined ? [1] : [1, toMs])
        .ends('p1.0', 9)
    expect(check(tale(5))).toEqual([])
    expect(check(tale())).toHaveLength(1)
  })
})
