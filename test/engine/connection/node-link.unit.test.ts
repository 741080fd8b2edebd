import { EventEmitter } from 'node:events'
import { Command, type Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dropWhenSilent } from '../../../src/connection/node/node-link.js'

const TIMEOUT_MS = 3_000

class FakeSocket extends EventEmitter {
  readonly writableLength = 0
  readonly destroy = vi.fn<(error: Error) => void>()
}

/** A connection over which commands wait for replies until a test says that they have come. */
class FakeRedis {
  readonly stream = new FakeSocket()
  readonly commandQueue: Command[] = []

  sendCommand(command: Command): void {
    this.commandQueue.push(command)
  }
}

describe('a connection over which few commands go', () => {
  let redis: FakeRedis

  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'],
    })
    redis = new FakeRedis()
    dropWhenSilent(redis as unknown as Redis, TIMEOUT_MS)
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const send = () => {
    redis.sendCommand(new Command('subscribe'))
  }
  const arrive = () => redis.stream.emit('data', Buffer.from('a part of a reply'))
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  it('is dropped when a reply is waited for and nothing arrives', async () => {
    send()
    await pass(TIMEOUT_MS - 1)
    expect(redis.stream.destroy).not.toHaveBeenCalled()
    await pass(2)
    expect(redis.stream.destroy).toHaveBeenCalledOnce()
  })

  it('is kept for as long as a reply is arriving, however long that takes', async () => {
    send()
    for (let part = 0; part < 10; part += 1) {
      await pass(TIMEOUT_MS - 500)
      arrive()
    }
    expect(redis.stream.destroy).not.toHaveBeenCalled()
    await pass(TIMEOUT_MS + 1)
    expect(redis.stream.destroy).toHaveBeenCalledOnce()
  })

  it('is kept when nothing is waited for', async () => {
    send()
    await pass(TIMEOUT_MS - 1)
    redis.commandQueue.length = 0
    await pass(10 * TIMEOUT_MS)
    expect(redis.stream.destroy).not.toHaveBeenCalled()
  })
})
