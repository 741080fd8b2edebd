import { describe, expect, it } from 'vitest'
import { checkFires } from '../../../../chaos/random-use/check/fires.js'
import { Tale } from '../check/tale.js'
import { conditions, entriesOf, LOCK, whatOf } from './conditions.js'

const once = conditions({
  resources: [{ ...LOCK, rules: 'once' }],
  intervalsMs: new Map([['lock', 100]]),
})

function check(tale: Tale): string[] {
  return whatOf(checkFires(entriesOf(tale), once))
}

describe('a fire', () => {
  it('has one run, and calls that return so', () => {
    const tale = new Tale()
      .acquires('p1.0/1', 'h1', [1, 5])
      .acquires('p2.0/1', 'h2', [2, 6], { outcome: 'refused' })
    expect(check(tale)).toEqual([])
  })

  it('may not have two in the time of its mark', () => {
    const tale = new Tale().acquires('p1.0/1', 'h1', [1, 5]).acquires('p2.0/1', 'h2', [2, 60])
    expect(check(tale)).toEqual(['once: lock: p2.0/1 has run 55.0 ms after p1.0/1'])
  })

  it('may have another one later', () => {
    const tale = new Tale().acquires('p1.0/1', 'h1', [1, 5]).acquires('p2.0/1', 'h2', [2, 101])
    expect(check(tale)).toEqual([])
  })

  it('may have another one after a failure, and none before', () => {
    const failing = () => new Tale().acquires('p1.0/1', 'h1', [1, 5]).releases('h1', [20, 22])
    expect(check(failing().acquires('p2.0/1', 'h2', [2, 21]))).toEqual([])
    expect(check(failing().acquires('p2.0/1', 'h2', [2, 19]))).toHaveLength(1)
  })
})
