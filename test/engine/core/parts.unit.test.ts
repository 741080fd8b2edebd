import { describe, expect, it } from 'vitest'
import { partsTogether, sendInTurn, sendParts, type Changes } from '../../../src/core/context/parts.js'
import {
  AuthenticationError,
  ClientClosedError,
  ServerNotReadyError,
  type RedissonError,
} from '../../../src/index.js'

const notReady = () => new ServerNotReadyError('Redis is loading')

/** Sends parts of which each is its reply, or its error. */
const send = (parts: readonly unknown[], together: number, changes: Changes = 'perhaps') =>
  sendParts(parts, (part) => (part instanceof Error ? Promise.reject(part) : Promise.resolve(part)), {
    together,
    changes,
  })

const mayHaveRun = async (call: Promise<unknown>): Promise<boolean> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason as RedissonError,
  )
  return error?.mayHaveRun ?? expect.fail('it rejects')
}

describe('a call of several requests', () => {
  it.each([1, 2, 100])(
    'returns the replies in order, with %s of them under way together',
    async (together) => {
      expect(await send([1, 2, 3], together)).toEqual([1, 2, 3])
      expect(await send([], together)).toEqual([])
    },
  )

  it('has a few of them under way, and the next ones once these have settled', async () => {
    const waiting: (() => void)[] = []
    const sent: number[] = []
    const parts = Array.from({ length: 12 }, (_, n) => n)
    const sending = { together: partsTogether({ isBatch: false }, parts), changes: 'never' } as const
    const call = sendParts(
      parts,
      (part) => {
        sent.push(part)
        return new Promise<void>((resolve) => waiting.push(resolve))
      },
      sending,
    )
    const first = sent.length
    expect(first).toBeLessThan(parts.length)
    for (const reply of waiting.splice(1)) reply()
    await Promise.resolve()
    expect(sent).toHaveLength(first)
    waiting.shift()?.()
    for (let settled = false; !settled;) {
      settled = await Promise.race([
        call.then(() => true),
        new Promise<boolean>((turn) => setImmediate(turn, false)),
      ])
      for (const reply of waiting.splice(0)) reply()
    }
    expect(sent).toEqual(parts)
  })

  it('sends all of them at once in a batch', () => {
    expect(partsTogether({ isBatch: true }, Array.from({ length: 12 }))).toBe(12)
  })

  it.each([
    ['another one has changed something', [1, notReady()], true],
    ['another one has done what has no reply', [undefined, notReady()], true],
    ['another one has changed nothing', [0, false, notReady()], false],
    ['it is the first one', [notReady(), 0], false],
    ['another one may have run', [notReady(), new ServerNotReadyError('', { mayHaveRun: true })], true],
  ])('has an error that says so if %s', async (_, parts, expected) => {
    expect(await mayHaveRun(send(parts, 100, 'never'))).toBe(false)
    expect(await mayHaveRun(send(parts, 100))).toBe(expected)
  })

  it('stops at the first failure, and says what the earlier ones have done', async () => {
    expect(await mayHaveRun(send([1, 0, notReady()], 1))).toBe(true)
    expect(await mayHaveRun(send([0, notReady(), 1], 1))).toBe(false)
    expect(await mayHaveRun(send([0, notReady()], 1, 'always'))).toBe(true)
    expect(await mayHaveRun(send([notReady(), 0], 1, 'always'))).toBe(false)
  })

  it.each([
    ['CLOSED', new ClientClosedError()],
    ['CONNECTION_LOST', new AuthenticationError('refused', { address: 'a:1' })],
  ])('leaves an error alone that other calls get as well: %s', async (code, shared) => {
    const call = send([1, shared], 1)
    await expect(call).rejects.toMatchObject({ code, mayHaveRun: true })
    expect(shared.mayHaveRun).toBe(false)
  })

  it('sends one part after the other outside of a batch, and in a batch only a single part', async () => {
    const sent: number[] = []
    const inTurn = (isBatch: boolean, parts: readonly number[]) =>
      sendInTurn({ isBatch }, 'Adding so many values', parts, (part) => {
        sent.push(part)
        return Promise.resolve(part)
      })
    expect(await inTurn(false, [1, 2])).toEqual([1, 2])
    expect(await inTurn(true, [3])).toEqual([3])
    await expect(inTurn(true, [4, 5])).rejects.toThrow(/Adding so many values/)
    expect(sent).toEqual([1, 2, 3])
  })
})
