import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../../src/connection/node/foreign-errors.js'

/** An error as ioredis makes it. */
function replyError(message: string): Error {
  const error = Object.assign(new Error(message), { command: { name: 'hello', args: ['3', 'AUTH', 'word'] } })
  error.name = 'ReplyError'
  return error
}

describe('an error of others', () => {
  it('keeps its name, its words, its facts and its stack', () => {
    const original = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
      code: 'ECONNREFUSED',
      errno: -111,
      syscall: 'connect',
      address: '127.0.0.1',
      port: 1,
    })
    const copy = withoutSecrets(original)
    expect(copy).not.toBe(original)
    expect(copy.stack).toBe(original.stack)
    expect(Object.assign({}, copy)).toEqual({
      code: 'ECONNREFUSED',
      syscall: 'connect',
      address: '127.0.0.1',
      port: 1,
    })
    expect(String(withoutSecrets(replyError('WRONGPASS invalid')))).toBe('ReplyError: WRONGPASS invalid')
  })

  it('loses all else that it holds', () => {
    const cluster = Object.assign(new Error('Failed'), {
      lastNodeError: replyError('x'),
      previousErrors: [replyError('y')],
      cause: replyError('z'),
      code: { secret: 'word' },
    })
    for (const error of [replyError('WRONGPASS'), cluster]) {
      expect(Reflect.ownKeys(withoutSecrets(error)).sort()).toEqual(['message', 'name', 'stack'])
    }
  })

  it.each([
    [
      "ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'word' ",
      "ERR unknown command 'HELLO'",
    ],
    ['ERR unknown command `auth`, with args beginning with: `word`, ', 'ERR unknown command `auth`'],
    [
      "NOPERM User alice has no permissions to run the 'get' command",
      "NOPERM this user has no permissions to run the 'get' command",
    ],
    [
      "NOPERM ACL failure in script: User alice has no permissions to run the 'publish' command",
      "NOPERM ACL failure in script: this user has no permissions to run the 'publish' command",
    ],
    ['Unknown RESP type 72 "H". Please report this.', 'the server does not reply in the protocol of Redis'],
    [
      'The "options.passphrase" property must be of type string. Received type number (1234)',
      'The "options.passphrase" property must be of type string',
    ],
    [`WRONGTYPE Operation script: ${'df'.repeat(20)}, on @user_script:20.`, 'WRONGTYPE Operation'],
    ['ERR wrong number of arguments', 'ERR wrong number of arguments'],
  ])('does not repeat what was sent: %s', (message, words) => {
    const copy = withoutSecrets(replyError(message))
    expect(copy.message).toBe(words)
    expect(copy.stack?.split('\n')[0]).toBe(`ReplyError: ${words}`)
  })

  it('has words where Node has none, as for a host with several addresses', async () => {
    const redis = new Redis({ host: 'localhost', port: 1, lazyConnect: true, retryStrategy: () => null })
    const { promise, resolve } = Promise.withResolvers<Error>()
    redis.once('error', resolve)
    redis.connect().catch(() => undefined)
    expect(withoutSecrets(await promise).message).toMatch(/^connect ECONNREFUSED/)
    const both = new AggregateError([new Error('connect to ::1'), new Error('connect to 127.0.0.1')])
    expect(withoutSecrets(both).message).toBe('connect to ::1, connect to 127.0.0.1')
  })

  it('may be no error at all', () => {
    expect(withoutSecrets('a word').message).toBe('a word')
    expect(withoutSecrets(undefined).message).toBe('undefined')
  })
})
