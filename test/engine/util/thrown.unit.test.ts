import { describe, expect, it } from 'vitest'
import { isRedissonError } from '../../../src/index.js'
import { hasReturned, isPassing, repliedWords, wordsOf } from '../../../src/errors/lasting-failure.js'
import { withoutWords } from '../../../src/errors/without-words.js'
import { messageOf } from '../../../src/util/thrown/thrown.js'

/** An error whose property of that name throws when it is read. */
function unreadable(name: string): Error {
  return Object.defineProperty(new Error('x'), name, { get: throws })
}

function throws(): never {
  throw new Error('it was read')
}

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

const hostile: readonly (readonly [what: string, error: unknown])[] = [
  ['a revoked proxy', revoked({})],
  ['a revoked proxy of an error', revoked(new Error('x'))],
  ['a revoked proxy of a function', revoked(throws)],
  ...['message', 'name', 'code', 'cause', 'stack'].map(
    (name) => [`an error without a readable ${name}`, unreadable(name)] as const,
  ),
  ['an error without a text', Object.assign(new Error(), { message: Symbol('x') })],
  ['an object without a prototype', Object.create(null)],
  ['an object whose text throws', { toString: throws }],
  ['a proxy that refuses everything', new Proxy({}, { get: throws, getPrototypeOf: throws, has: throws })],
  ['a symbol', Symbol('x')],
]

describe.each(hostile)('%s that was thrown', (_, error) => {
  it('is no error of the library', () => {
    expect(isRedissonError(error)).toBe(false)
    expect(isRedissonError(error, 'CLOSED')).toBe(false)
    expect(isPassing(error)).toBe(false)
  })

  it('has words that can be reported', () => {
    expect(wordsOf(error)).toBeTypeOf('string')
    expect(messageOf(error)).toBeTypeOf('string')
    expect(repliedWords(error)).toBe('')
    expect(hasReturned(error, 'NOAUTH')).toBe(false)
  })

  it('is an error in a trace', () => {
    expect(withoutWords(error, 'HGET')).toMatchObject({ name: 'Error', message: 'HGET has failed' })
  })
})
