import type { Command, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Outstanding } from '../../src/connection/outstanding.js'
import { isRedissonError } from '../../src/errors/redisson-error.js'

const TIMEOUT_MS = 100

/** A connection whose server answers what and when it is told. */
function connection() {
  const asked: Command[] = []
  const sendCommand = (command: Command) => {
    asked.push(command)
    return command.promise
  }
  const redis = { sendCommand } as unknown as Redis
  return { redis, asked }
}

describe('a command that waits for its answer', () => {
  let outstanding: Outstanding
  const { redis, asked } = connection()

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    outstanding = new Outstanding(TIMEOUT_MS)
    asked.length = 0
  })

  afterEach(() => {
    outstanding.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  /** Sends a command; tells what becomes of it. */
  const send = (name: string) => {
    const fate: { answer?: unknown; code?: string } = {}
    void outstanding.send(redis, { name, args: [] }).then(
      (answer) => (fate.answer = answer),
      (error: unknown) => (fate.code = isRedissonError(error) ? error.code : String(error)),
    )
    return fate
  }

  it('gets it', async () => {
    const fate = send('ping')
    asked[0]?.resolve(1)
    await vi.advanceTimersByTimeAsync(0)
    expect(fate).toEqual({ answer: 1 })
  })

  it('rejects with errors of ours', async () => {
    const fate = send('ping')
    asked[0]?.reject(new Error('the socket is gone'))
    await vi.advanceTimersByTimeAsync(0)
    expect(fate).toEqual({ code: 'CONNECTION_LOST' })
  })

  it('rejects when its own time is over, and not before', async () => {
    const first = send('first')
    await vi.advanceTimersByTimeAsync(60)
    const second = send('second')
    await vi.advanceTimersByTimeAsync(39)
    expect(first).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(first).toEqual({ code: 'REPLY_TIMEOUT' })
    await vi.advanceTimersByTimeAsync(59)
    expect(second).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(second).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('has its own time also when all before it were answered, and when nobody waited for a while', async () => {
    const first = send('first')
    await vi.advanceTimersByTimeAsync(60)
    const second = send('second')
    asked[0]?.resolve(1)
    await vi.advanceTimersByTimeAsync(99)
    expect([first, second]).toEqual([{ answer: 1 }, {}])
    await vi.advanceTimersByTimeAsync(1)
    expect(second).toEqual({ code: 'REPLY_TIMEOUT' })
    await vi.advanceTimersByTimeAsync(1000)
    const third = send('third')
    await vi.advanceTimersByTimeAsync(99)
    expect(third).toEqual({})
    await vi.advanceTimersByTimeAsync(1)
    expect(third).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('stays rejected when the answer comes after all', async () => {
    const fate = send('late')
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
    asked[0]?.resolve(1)
    await vi.advanceTimersByTimeAsync(0)
    expect(fate).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('rejects when nobody waits any more', async () => {
    const fate = send('unanswered')
    outstanding.close()
    const late = send('late')
    await vi.advanceTimersByTimeAsync(0)
    expect([fate, late]).toEqual([{ code: 'CLOSED' }, { code: 'CLOSED' }])
    expect(asked).toHaveLength(1)
  })

  it('is one of two where replicas confirm', async () => {
    const answered = outstanding.sendSynced(redis, { name: 'set', args: ['key', 1] }, 2, 50)
    expect(asked.map(({ name, args }) => [name, ...args])).toEqual([
      ['set', 'key', '1'],
      ['wait', '2', '50'],
    ])
    asked[0]?.resolve('OK')
    asked[1]?.resolve(2)
    await expect(answered).resolves.toEqual({ reply: 'OK', replicas: 2 })
  })
})
