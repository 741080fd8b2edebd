import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Command, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { notSent } from '../../../src/command/requests/caller-wait.js'
import { Failures } from '../../../src/connection/login/failures.js'
import { PendingCommands } from '../../../src/connection/requests/pending-commands.js'
import { NotSentError } from '../../../src/errors/not-sent.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'
import { collectGarbage } from '../../support/collect-garbage.js'

const TIMEOUT_MS = 100

/** What is used of a socket. */
class FakeSocket extends EventEmitter {
  /** What waits in the socket, and what it was given in all. */
  writableLength = 0
  bytesWritten = 0
  destroyed = false

  destroy(): void {
    this.destroyed = true
  }

  /** Takes in so many bytes, of which nothing has left as yet. */
  take(bytes: number): void {
    this.bytesWritten += bytes
    this.writableLength += bytes
  }
}

/** A socket as far as it is used. */
function fakeSocket(): FakeSocket & Socket {
  return new FakeSocket() as unknown as FakeSocket & Socket
}

const SOCKET = fakeSocket()

/** A connection whose server sends given replies at given times. */
function connection() {
  const asked: Command[] = []
  const line: { socket: FakeSocket & Socket } = { socket: SOCKET }
  const sendCommand = (command: Command) => {
    asked.push(command)
    const { length } = command.toWritable(line.socket) // as ioredis does that is connected
    if (length > 1000) line.socket.take(length)
    return command.promise
  }
  const redis = { sendCommand, options: { host: '127.0.0.1', port: 6379 } } as unknown as Redis
  return { redis, asked, line }
}

describe('a command that waits for its answer', () => {
  let outstanding: PendingCommands
  const { redis, asked, line } = connection()

  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    })
    outstanding = new PendingCommands(
      TIMEOUT_MS,
      new Failures({ connectTimeoutMs: TIMEOUT_MS, timeoutMs: TIMEOUT_MS }),
    )
    asked.length = 0
    line.socket = fakeSocket()
  })

  afterEach(() => {
    outstanding.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  /** The event loop goes round once more afterwards. */
  const elapse = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    await setImmediate()
  }

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
    await elapse(0)
    expect(fate).toEqual({ answer: 1 })
  })

  it('has not run where it was not sent when its connection was lost', async () => {
    const sendCommand = (command: Command) => {
      command.reject(
        new Error('Reached the max retries per request limit (which is 0). Refer to the documentation.'),
      )
      return command.promise
    }
    const closed = { sendCommand, options: redis.options } as unknown as Redis
    const lost = outstanding.send(closed, { name: 'ping', args: [] })
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_LOST', mayHaveRun: false })
    await expect(lost).rejects.toBeInstanceOf(NotSentError)
    await expect(lost).rejects.toMatchObject({ cause: { message: 'The connection was closed' } })
  })

  it('is not sent when its time was over before there was a connection', async () => {
    const queued: Command[] = []
    const sendCommand = (command: Command) => {
      queued.push(command)
      return command.promise
    }
    const connecting = { sendCommand, options: redis.options } as unknown as Redis
    const until = performance.now() + TIMEOUT_MS / 2
    const [inTime, late] = [1, 2].map((key) =>
      outstanding.send(connecting, { name: 'del', args: [key], until }),
    )
    expect(queued[0]?.toWritable(SOCKET)).toContain('del')
    await elapse(TIMEOUT_MS / 2)
    expect(queued[1]?.toWritable(SOCKET)).toContain('ping')
    queued[0]?.resolve(1)
    queued[1]?.resolve('PONG')
    expect(await inTime).toBe(1)
    await expect(late).rejects.toBeInstanceOf(NotSentError)
  })

  it('rejects with errors of ours', async () => {
    const fate = send('ping')
    asked[0]?.reject(new Error('the socket is gone'))
    await elapse(0)
    expect(fate).toEqual({ code: 'CONNECTION_LOST' })
  })

  it('rejects when its own time is over, and not before', async () => {
    const first = send('first')
    await elapse(60)
    const second = send('second')
    await elapse(39)
    expect(first).toEqual({})
    await elapse(1)
    expect(first).toEqual({ code: 'REPLY_TIMEOUT' })
    await elapse(59)
    expect(second).toEqual({})
    await elapse(1)
    expect(second).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('has its own time also when all before it have their replies, and when nothing was pending for a while', async () => {
    const first = send('first')
    await elapse(60)
    const second = send('second')
    asked[0]?.resolve(1)
    await elapse(99)
    expect([first, second]).toEqual([{ answer: 1 }, {}])
    await elapse(1)
    expect(second).toEqual({ code: 'REPLY_TIMEOUT' })
    await elapse(1000)
    const third = send('third')
    await elapse(99)
    expect(third).toEqual({})
    await elapse(1)
    expect(third).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('is not given up while anything arrives, and then once nothing has for that time', async () => {
    const fate = send('get')
    for (let part = 0; part < 5; part += 1) {
      await elapse(TIMEOUT_MS - 1)
      line.socket.emit('data', Buffer.alloc(1))
    }
    await elapse(TIMEOUT_MS - 1)
    expect(fate).toEqual({})
    expect(line.socket.destroyed).toBe(false)
    await elapse(1)
    expect(fate).toEqual({ code: 'REPLY_TIMEOUT' })
    expect(line.socket.destroyed).toBe(true)
  })

  it('is given up when its own connection is silent, whatever comes over another one', async () => {
    const silent = send('get')
    const { socket } = line
    line.socket = fakeSocket()
    const other = send('get')
    await elapse(TIMEOUT_MS - 1)
    line.socket.emit('data', Buffer.alloc(1))
    await elapse(1)
    expect([silent, other]).toEqual([{ code: 'REPLY_TIMEOUT' }, {}])
    expect([socket.destroyed, line.socket.destroyed]).toEqual([true, false])
    await elapse(TIMEOUT_MS)
    expect(other).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('is not given up while what is ahead of it leaves, nor for as long again as that took', async () => {
    void outstanding.send(redis, { name: 'set', args: ['key', 'x'.repeat(1_000_000)] }).catch(() => undefined)
    const fate = send('get')
    for (let part = 0; part < 9; part += 1) {
      await elapse(TIMEOUT_MS / 2)
      line.socket.writableLength -= 100_000
    }
    line.socket.writableLength = 0
    await elapse(TIMEOUT_MS / 2) // it has left after 475 ms
    expect(fate).toEqual({})
    await elapse(5 * TIMEOUT_MS)
    expect(fate).toEqual({})
    await elapse(TIMEOUT_MS)
    expect(fate).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('is given up where something large does not leave', async () => {
    void outstanding.send(redis, { name: 'set', args: ['key', 'x'.repeat(1_000_000)] }).catch(() => undefined)
    const fate = send('get')
    await elapse(TIMEOUT_MS)
    expect(fate).toEqual({ code: 'REPLY_TIMEOUT' })
    expect(line.socket.destroyed).toBe(true)
    await elapse(TIMEOUT_MS) // it is looked at no more
  })

  it('does not arrive long after the moment until which it may be sent', async () => {
    const until = performance.now() + 2 * TIMEOUT_MS
    const fate = outstanding.send(redis, { name: 'del', args: ['key'], until })
    const rejected = expect(fate).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: true })
    for (let part = 0; part < 3; part += 1) {
      await elapse(TIMEOUT_MS - 1)
      line.socket.emit('data', Buffer.alloc(1))
    }
    await elapse(3)
    await rejected
    expect(line.socket.destroyed).toBe(true)
  })

  it('stays rejected when the answer comes after all', async () => {
    const fate = send('late')
    await elapse(TIMEOUT_MS)
    asked[0]?.resolve(1)
    await elapse(0)
    expect(fate).toEqual({ code: 'REPLY_TIMEOUT' })
  })

  it('is not sent later once it was given up', async () => {
    send('late')
    expect(String(asked[0]?.toWritable(SOCKET))).toContain('late')
    await elapse(TIMEOUT_MS)
    expect(asked[0]?.toWritable(SOCKET)).toBe('*1\r\n$4\r\nping\r\n')
  })

  it('rejects when no caller waits any more', async () => {
    const fate = send('unanswered')
    outstanding.close()
    const late = send('late')
    await elapse(0)
    const [together] = await outstanding.sendAll(redis, [{ name: 'later', args: [] }], {
      timeoutMs: 2 * TIMEOUT_MS,
    })
    expect([fate, late, together]).toMatchObject([{ code: 'CLOSED' }, { code: 'CLOSED' }, { code: 'CLOSED' }])
    expect(asked).toHaveLength(1)
  })

  it.each(['alone', 'with others'])('counts as not sent once it was refused (%s)', async (how) => {
    const sending = notSent()
    const command = { name: 'get', args: ['a'], sending }
    const settled =
      how === 'alone' ? outstanding.send(redis, command).catch(String) : outstanding.sendAll(redis, [command])
    expect(sending.sent).toBe(true)
    asked[0]?.reject(
      Object.assign(new Error('LOADING Redis is loading the dataset in memory'), { name: 'ReplyError' }),
    )
    await settled
    expect(sending.sent).toBe(false)
  })

  it('keeps nothing of the others that were sent with it, although ioredis still has it', async () => {
    const fate = async () => {
      const sent = outstanding.sendAll(redis, [
        { name: 'get', args: ['a'] },
        { name: 'get', args: ['b'] },
      ])
      asked[0]?.resolve('one')
      asked[1]?.resolve('two')
      const outcomes = await sent
      expect(outcomes).toEqual(['one', 'two'])
      return new WeakRef(outcomes)
    }
    const outcomes = await fate()
    await elapse(0)
    collectGarbage()
    expect(asked).toHaveLength(2)
    expect(outcomes.deref()).toBeUndefined()
  })
})
