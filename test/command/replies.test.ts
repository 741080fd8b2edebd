import { describe, expect, it } from 'vitest'
import { integer, list, text, tuple } from '../../src/command/replies.js'
import type { Reply } from '../../src/connection/connection.js'
import { UnexpectedReplyError } from '../../src/errors/reply-errors.js'

const bytes = Buffer.from('ünï')

describe('reading a reply', () => {
  it('as an integer', () => {
    expect([integer(0), integer(-2), integer(7)]).toEqual([0, -2, 7])
  })

  it('as a text, from its bytes', () => {
    expect([text(bytes), text(Buffer.alloc(0))]).toEqual(['ünï', ''])
  })

  it('as a list', () => {
    expect(list(integer)([1, 0, 1])).toEqual([1, 0, 1])
    expect(list(integer)([])).toEqual([])
    expect(list(list(text))([[bytes], []])).toEqual([['ünï'], []])
  })

  it('as a list whose items mean different things', () => {
    expect(tuple(integer, text, integer)([1, bytes, 2])).toEqual([1, 'ünï', 2])
  })

  it('as such a list, with more to come in later versions', () => {
    expect(tuple(integer)([1, 2, 3])).toEqual([1])
  })

  it.each<[string, (reply: Reply) => unknown, Reply, string]>([
    ['an integer', integer, null, 'Expected Redis to answer an integer, got null'],
    ['an integer', integer, [1], 'Expected Redis to answer an integer, got [1]'],
    ['an integer', integer, Buffer.from('1'), 'Expected Redis to answer an integer, got '],
    ['a text', text, 1, 'Expected Redis to answer a text, got 1'],
    ['a text', text, null, 'Expected Redis to answer a text, got null'],
    ['a list', list(integer), null, 'Expected Redis to answer a list, got null'],
    ['a list', list(integer), 1, 'Expected Redis to answer a list, got 1'],
    ['a list of integers', list(integer), [1, null], 'Expected Redis to answer an integer, got null'],
    ['a pair', tuple(integer, integer), [1], 'Expected Redis to answer 2 items, got [1]'],
    ['a pair', tuple(integer, text), [1, 2], 'Expected Redis to answer a text, got 2'],
  ])('that is not %s says what it is instead', (_, decode, reply, message) => {
    expect(() => decode(reply)).toThrow(UnexpectedReplyError)
    expect(() => decode(reply)).toThrow(message)
  })
})
