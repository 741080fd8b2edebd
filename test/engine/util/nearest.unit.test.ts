import { describe, expect, it } from 'vitest'
import { nearest } from '../../../src/util/collections/nearest.js'

const known = ['address', 'database', 'password', 'timeout', 'retryAttempts', 'tls', 'waitMs', 'leaseMs']

describe('the nearest word', () => {
  it.each([
    ['pasword', 'password'], // left out
    ['addresss', 'address'], // added
    ['retryAttemps', 'retryAttempts'],
    ['databese', 'database'], // replaced
    ['tiemout', 'timeout'], // swapped
    ['RETRYATTEMPTS', 'retryAttempts'],
    ['waitms', 'waitMs'],
    ['waitTime', 'waitMs'],
    ['lease', 'leaseMs'],
    ['tsl', 'tls'],
  ])('to %s is %s', (word, meant) => {
    expect(nearest(word, known)).toBe(meant)
  })

  it.each(['', 'x', 'host', 'port', 'codec', 'pool', 'somethingElse'])('is none to %j', (word) => {
    expect(nearest(word, known)).toBeUndefined()
  })

  it('is the first of two that are equally near', () => {
    expect(nearest('ab', ['ac', 'bb'])).toBe('ac')
  })

  it('is the word itself, where it is known', () => {
    expect(nearest('tls', ['tlz', 'tls'])).toBe('tls')
  })

  it('is none where nothing is known', () => {
    expect(nearest('tls', [])).toBeUndefined()
  })
})
