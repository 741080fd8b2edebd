import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  CredentialsProvider,
  CredentialsRequest,
  ServerCredentials,
} from '../../../src/api/credentials.js'
import { CredentialsCache } from '../../../src/connection/login/credentials-cache.js'
import { CredentialsError } from '../../../src/errors/connection-errors.js'

const AT = 'redis.example:6379'
const MINUTE_MS = 60_000
const WITHIN_MS = 10_000

const nobody = new AbortController().signal

const cacheOf = (ask: CredentialsProvider) =>
  new CredentialsCache({ setting: 'credentials', ask, withinMs: WITHIN_MS, pauseMs: () => 1 })

/** A program that is asked, and has not replied yet. */
function asked() {
  const requests: CredentialsRequest[] = []
  const replies: PromiseWithResolvers<ServerCredentials>[] = []
  const ask: CredentialsProvider = (request) => {
    requests.push(request)
    const reply = Promise.withResolvers<ServerCredentials>()
    replies.push(reply)
    return reply.promise
  }
  return { requests, replies, cache: cacheOf(ask) }
}

/** A program whose passwords are numbered, and hold for some time. */
function numbered(heldMs?: number) {
  let count = 0
  let failing = false
  const cache = cacheOf(() => {
    if (failing) throw new Error('the vault is sealed')
    count += 1
    return { password: `word-${count}`, ...(heldMs !== undefined && { expiresAt: Date.now() + heldMs }) }
  })
  const password = async (address = AT) => (await cache.forOpening(address, nobody)).password
  return { cache, password, fail: (fails: boolean) => void (failing = fails) }
}

async function refusal(work: Promise<unknown>): Promise<CredentialsError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof CredentialsError) return error
  throw new Error('Expected the credentials to be refused', { cause: error })
}

describe('credentials', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are asked for with one call for all connections to an address that need them at the time', async () => {
    const { cache, requests, replies } = asked()
    const both = [cache.forOpening(AT, nobody), cache.renewed(AT, nobody)]
    const elsewhere = cache.forOpening('other:1', nobody)
    expect(requests.map(({ address }) => address)).toEqual([AT, 'other:1'])
    replies[0]?.resolve({ username: 'app', password: 'word' })
    replies[1]?.resolve({ password: 'another', username: null, expiresAt: null })
    expect(await Promise.all(both)).toMatchObject([
      { username: 'app', password: 'word' },
      { username: 'app', password: 'word' },
    ])
    expect(await elsewhere).toMatchObject({ username: undefined, password: 'another' })
    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  it('that say no end are asked for by each connection', async () => {
    const { password } = numbered()
    expect([await password(), await password(), await password('other:1')]).toEqual([
      'word-1',
      'word-2',
      'word-3',
    ])
  })

  it('are kept for each address until a fifth of their time is left', async () => {
    const { password } = numbered(15 * MINUTE_MS)
    expect([await password(), await password('other:1'), await password()]).toEqual([
      'word-1',
      'word-2',
      'word-1',
    ])
    vi.advanceTimersByTime(12 * MINUTE_MS - 1)
    expect(await password()).toBe('word-1')
    vi.advanceTimersByTime(1)
    expect(await password()).toBe('word-3')
  })

  it('are kept until five minutes of a longer time are left', async () => {
    const { password } = numbered(60 * MINUTE_MS)
    await password()
    vi.advanceTimersByTime(55 * MINUTE_MS - 1)
    expect(await password()).toBe('word-1')
    vi.advanceTimersByTime(1)
    expect(await password()).toBe('word-2')
  })

  it('may have a Date as their end', async () => {
    const cache = cacheOf(() => ({ password: 'word', expiresAt: new Date(Date.now() + MINUTE_MS) }))
    const { renewAt, endsAt } = await cache.renewed(AT, nobody)
    expect([renewAt - performance.now(), endsAt - performance.now()]).toEqual([MINUTE_MS * 0.8, MINUTE_MS])
  })

  it('will do until they end where there are no others', async () => {
    const { cache, password, fail } = numbered(15 * MINUTE_MS)
    await password()
    fail(true)
    vi.advanceTimersByTime(13 * MINUTE_MS)
    expect(await password()).toBe('word-1')
    await refusal(cache.renewed(AT, nobody))
    vi.advanceTimersByTime(2 * MINUTE_MS)
    await refusal(cache.forOpening(AT, nobody))
    fail(false)
    expect(await password()).toBe('word-2')
  })

  it('that a server refuses are asked for anew, unless there are others by now', async () => {
    const { cache, password } = numbered(15 * MINUTE_MS)
    const first = await cache.forOpening(AT, nobody)
    cache.forget('other:1', first)
    expect(await password()).toBe('word-1')
    cache.forget(AT, first)
    expect(await password()).toBe('word-2')
    cache.forget(AT, first)
    expect(await password()).toBe('word-2')
  })

  it('that a server refuses give way to the former ones, for as long as those are good', async () => {
    const { cache, password } = numbered(15 * MINUTE_MS)
    await password()
    vi.advanceTimersByTime(12 * MINUTE_MS)
    cache.forget(AT, await cache.renewed(AT, nobody))
    expect([await password(), (await cache.renewed(AT, nobody)).password]).toEqual(['word-1', 'word-1'])
    vi.advanceTimersByTime(1.5 * MINUTE_MS)
    const third = await cache.forOpening(AT, nobody)
    expect(third.password).toBe('word-3')
    cache.forget(AT, third)
    const former = await cache.forOpening(AT, nobody)
    expect(former.password).toBe('word-1')
    cache.forget(AT, former)
    expect(await password()).toBe('word-4')
  })

  it('that a server refuses do not give way to former ones that have ended', async () => {
    const { cache, password } = numbered(15 * MINUTE_MS)
    await password()
    vi.advanceTimersByTime(14 * MINUTE_MS)
    const second = await cache.renewed(AT, nobody)
    vi.advanceTimersByTime(MINUTE_MS)
    cache.forget(AT, second)
    expect(await password()).toBe('word-3')
  })

  it('that are good are used by a connection that opens while the program does not reply', async () => {
    const { cache, requests, replies } = asked()
    const opening = () => cache.forOpening(AT, nobody)
    const first = opening()
    replies[0]?.resolve({ password: 'word', expiresAt: Date.now() + 15 * MINUTE_MS })
    await first
    vi.advanceTimersByTime(12 * MINUTE_MS)
    const second = opening()
    await vi.advanceTimersByTimeAsync(WITHIN_MS / 5)
    expect(await second).toMatchObject({ password: 'word' })
    expect(requests).toHaveLength(2)
    expect(requests[1]?.signal.aborted).toBe(true)
    const third = opening()
    replies[2]?.resolve({ password: 'next', expiresAt: Date.now() + 15 * MINUTE_MS })
    expect(await third).toMatchObject({ password: 'next' })
  })

  it('have to come in time, and the program hears when that is over', async () => {
    const { cache, requests } = asked()
    const late = refusal(cache.forOpening(AT, nobody))
    vi.advanceTimersByTime(WITHIN_MS - 1)
    expect(requests[0]?.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(await late).toMatchObject({
      code: 'CREDENTIALS',
      address: AT,
      message: '`credentials` has not settled within 10000 ms',
    })
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('are waited for by each connection for as long as it is not closed, and the program hears when none waits any more', async () => {
    const { cache, requests, replies } = asked()
    const [one, two] = [new AbortController(), new AbortController()]
    const waiting = [cache.forOpening(AT, one.signal), cache.forOpening(AT, two.signal)]
    const ended = Promise.allSettled(waiting)
    one.abort()
    await expect(waiting[0]).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(requests[0]?.signal.aborted).toBe(false)
    two.abort()
    await ended
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    const again = cache.forOpening(AT, nobody)
    replies[0]?.resolve({ password: 'too-late' })
    replies[1]?.resolve({ password: 'word' })
    expect(await again).toMatchObject({ password: 'word' })
  })

  it.each([
    ['nothing', undefined, 'has returned no object with a `password`'],
    ['a text', 'canary', 'has returned no object with a `password`'],
    ['a list', ['canary'], 'has returned no object with a `password`'],
    ['no password', { username: 'canary' }, 'has returned a `password` that is no text, or empty'],
    [
      'an empty password',
      { username: 'canary', password: '' },
      'has returned a `password` that is no text, or empty',
    ],
    ['bytes', { password: Buffer.from('canary') }, 'has returned a `password` that is no text, or empty'],
    [
      'a user of another type',
      { username: 7, password: 'canary' },
      'has returned a `username` that is no text',
    ],
    [
      'a text as its end',
      { password: 'canary', expiresAt: 'canary' },
      'has returned an `expiresAt` that is neither a number of milliseconds since 1970 nor a Date',
    ],
    [
      'a Date that is none',
      { password: 'canary', expiresAt: new Date('canary') },
      'has returned an `expiresAt` that is neither a number of milliseconds since 1970 nor a Date',
    ],
    [
      'an end in seconds',
      { password: 'canary', expiresAt: Date.now() / 1000 },
      'has returned credentials that have expired: their `expiresAt`, in milliseconds since 1970, has passed',
    ],
  ])('are refused if there is %s, without a word of what they are', async (_, returned, problem) => {
    const error = await refusal(cacheOf(() => returned as never).forOpening(AT, nobody))
    expect(error.message).toBe(`\`credentials\` ${problem}`)
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('canary')
  })

  it.each([
    [
      'throws',
      () => {
        throw trouble()
      },
    ],
    ['rejects', () => Promise.reject(trouble())],
  ] satisfies [string, CredentialsProvider][])(
    'are missing where the program %s, and its error says only why',
    async (_, ask) => {
      const error = await refusal(cacheOf(ask).forOpening(AT, nobody))
      expect(error.message).toBe('`credentials` has failed: the vault at https://***@vault.example is sealed')
      expect(error.cause).toMatchObject({ name: 'VaultError', code: 'ESEALED' })
      expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('canary')
    },
  )

  it('are missing where there is a password that throws when it is read', async () => {
    const returned = {
      get password() {
        throw trouble()
      },
    }
    const error = await refusal(cacheOf(() => returned as never).forOpening(AT, nobody))
    expect(error.message).toBe(
      '`credentials` has returned what cannot be read: the vault at https://***@vault.example is sealed',
    )
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('canary')
  })

  it.each([
    ['a message that is no text', Object.assign(new Error(), { message: 7, stack: 7 }), '7'],
    ['a message that throws', withMessage(() => expect.fail()), 'unreadable'],
    ['no words at all', Object.create(null), 'unreadable'],
    ['a symbol', Symbol('sealed'), 'Symbol(sealed)'],
    ['a revoked proxy', revoked(), 'unreadable'],
  ])('are missing where the program throws %s', async (_, thrown, words) => {
    const error = await refusal(cacheOf(() => Promise.reject(thrown as Error)).forOpening(AT, nobody))
    expect(error.message).toBe(`\`credentials\` has failed: ${words}`)
  })

  it('are in nothing that is printed of the cache', async () => {
    const cache = cacheOf(() => ({
      username: 'canary',
      password: 'canary',
      expiresAt: Date.now() + MINUTE_MS,
    }))
    await cache.forOpening(AT, nobody)
    const printed = [inspect(cache, { depth: Infinity, showHidden: true }), JSON.stringify(cache)]
    expect(printed.join()).not.toContain('canary')
  })
})

/** An error as those of clients of vaults, with more in it than its words. */
function trouble(): Error {
  const error = new Error('the vault at https://app:canary@vault.example is sealed')
  return Object.assign(error, { name: 'VaultError', code: 'ESEALED', request: { token: 'canary' } })
}

/** An error whose message is computed. */
function withMessage(read: () => string): Error {
  return Object.defineProperty(new Error(), 'message', { get: read })
}

/** An object that throws whatever is done with it. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
