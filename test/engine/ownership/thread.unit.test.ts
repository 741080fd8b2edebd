import { describe, expect, it } from 'vitest'
import type { ThreadId } from '../../../src/api/thread-id.js'
import { namedThread } from '../../../src/ownership/thread.js'

describe('a thread that the user names', () => {
  it.each<[ThreadId, string]>([
    [7, '7'],
    [7n, '7'],
    ['7', '7'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [2n ** 63n - 1n, '9223372036854775807'],
    ['9223372036854775807', '9223372036854775807'],
  ])('%o is a thread of this client', (threadId, id) => {
    expect(namedThread('client', threadId)).toEqual({
      id,
      owner: `client:${id}`,
      chosen: true,
      shared: true,
      holds: 0,
    })
  })

  it.each(['other:7', 'a:b:7', '9b2f4c1e-0000-4000-8000-000000000000:7'])(
    '%s is a thread of its client',
    (owner) => {
      expect(namedThread('client', owner)).toEqual({ id: '7', owner, chosen: true, shared: true, holds: 0 })
    },
  )

  it.each<[unknown, string]>([
    [0, '0'],
    [-7, '-7'],
    [1.5, '1.5'],
    [NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [2 ** 53, '9007199254740992'],
    [0n, '0n'],
    [2n ** 63n, '9223372036854775808n'],
    ['', 'an empty string'],
    ['x', 'a string of 1 character'],
    ['07', 'a string of 2 characters'],
    ['+7', 'a string of 2 characters'],
    ['1e3', 'a string of 3 characters'],
    ['7 ', 'a string of 2 characters'],
    ['７', 'a string of 1 character'],
    [':7', 'a string of 2 characters'],
    ['client:', 'a string of 7 characters'],
    ['client:0', 'a string of 8 characters'],
    ['client:-1', 'a string of 9 characters'],
    ['\ud800:1', 'a string of 3 characters'],
    [null, 'null'],
    [undefined, 'undefined'],
    [true, 'true'],
    [{}, '{}'],
    [[], '[]'],
    [[7], "[ '…' ]"],
  ])('%o is refused', (threadId, got) => {
    expect(() => namedThread('client', threadId as ThreadId)).toThrow(
      new RangeError(
        `Expected \`threadId\` to be a positive integer or an owner like \`clientId:threadId\`, got ${got}`,
      ),
    )
  })
})
