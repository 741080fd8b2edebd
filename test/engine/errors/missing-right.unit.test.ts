import { describe, expect, it } from 'vitest'
import { neededFor } from '../../../src/errors/missing-right.js'

const REFUSED = new Error('NOPERM this user has no permissions to access one of the keys used as arguments')

describe('the keys that a refused request needs', () => {
  it('are quoted, so that no name forges another one or a line of a log', () => {
    const needed = neededFor(REFUSED, { keys: ['a, b', 'no\n\u001b[31m'], commands: [] })
    expect(needed).toBe("keys 'a, b', 'no\\n\\x1B[31m'")
  })

  it('are shortened, however long they are', () => {
    expect(neededFor(REFUSED, { keys: ['n'.repeat(1_000_000)], commands: [] })?.length).toBeLessThan(200)
  })

  it('counts the names of the request that was refused, which may be one of several of a call', () => {
    const keys = Array.from({ length: 31 }, (_, index) => `key-${String(index)}`)
    expect(neededFor(REFUSED, { keys, commands: [] })).toMatch(/'key-29', … 31 in this request$/)
    expect(neededFor(REFUSED, { keys: keys.slice(1), commands: [] })).toMatch(/'key-30'$/)
  })
})
