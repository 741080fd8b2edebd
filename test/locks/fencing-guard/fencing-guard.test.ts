import { beforeEach, describe, expect, it } from 'vitest'
import { Redisson, StaleTokenError, type FencingGuard } from '../../../src/index.js'
import { takeBriefly } from '../../contracts/take-briefly.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startProxy } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

describe('a fencing guard', () => {
  noLeaks(single, { keeps: /^redisson_lock_token:|^ioredisson_fencing_token:|^guarded/ })
  const clients = twoClients(single)
  let names = 0
  let name = ''
  let guard: FencingGuard

  beforeEach(() => {
    names += 1
    name = `guarded-${String(names)}`
    guard = clients.mine.getFencingGuard(name)
  })

  const stored = () => single.nodes[0].command('GET', name)

  it('lets a holder write repeatedly, and rejects any smaller token', async () => {
    expect(await guard.run(1, 'SET', 'one')).toBe('OK')
    expect(await guard.run(2, 'SET', 'two')).toBe('OK')
    expect(await guard.run(2, 'APPEND', '!')).toBe(4)
    const error: unknown = await guard.run(1, 'SET', 'late').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StaleTokenError)
    expect(error).toMatchObject({ code: 'STALE_TOKEN', resource: name, token: 1, largest: 2 })
    expect(await stored()).toBe('two!')
  })

  it('is one for all clients', async () => {
    await clients.other.getFencingGuard(name).run(5, 'SET', 'five')
    await expect(guard.run(4, 'SET', 'four')).rejects.toMatchObject({ code: 'STALE_TOKEN' })
    expect(await guard.getLastToken()).toBe(5)
  })

  it('answers whether a token is no smaller than all before', async () => {
    expect([
      await guard.accepts(2),
      await guard.accepts(2),
      await guard.accepts(1),
      await guard.accepts(3),
    ]).toEqual([true, true, false, true])
    expect(await guard.getLastToken()).toBe(3)
  })

  it('takes any operands, and reads any answers', async () => {
    await guard.run(1, 'HSET', 'a', '', 'b', 7, 'ü:\n', Buffer.from('ß'))
    expect(await guard.run(1, 'HMGET', 'a', 'b', 'ü:\n', 'none')).toEqual(['', '7', 'ß', undefined])
    expect(await guard.run(1, 'HLEN')).toBe(3)
    await single.nodes[0].command('DEL', name)
  })

  it('reads all digits of a counter', async () => {
    await guard.run(1, 'SET', '9007199254740992')
    expect(await guard.run(1, 'INCRBY', 1)).toBe('9007199254740993')
    await guard.run(1, 'DEL')
    await guard.run(1, 'HSET', 'field', '9007199254740992')
    expect(await guard.run(1, 'HINCRBY', 'field', 1)).toBe('9007199254740993')
  })

  it('takes as many operands as Lua can hand on, and refuses more before anything is sent', async () => {
    const most = Array.from({ length: 7999 }, (_, each) => each)
    expect(await guard.run(1, 'SADD', ...most)).toBe(7999)
    const error: unknown = await guard.run(2, 'SADD', ...most, 'more').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RangeError)
    expect(error).toMatchObject({ message: 'Expected at most 7999 operands, got 8000' })
    expect(await guard.getLastToken()).toBe(1)
    await single.nodes[0].command('DEL', name)
  })

  it('counts once where its answer is lost', async () => {
    await using door = await startProxy(single.nodes[0])
    const { host, port } = door
    const address = `redis://${host}:${String(port)}`
    await using client = await Redisson.create({
      singleServerConfig: { address, retryDelay: 10, reconnectionDelay: 10 },
    })
    const behind = client.getFencingGuard(name)
    await behind.run(1, 'INCRBY', 1)
    door.loseReplyTo(/^evalsha/i)
    expect(await behind.run(1, 'INCRBY', 1)).toBe(2)
    expect(await stored()).toBe('2')
  })

  it('keeps out a holder that was stopped, and comes back late', async () => {
    const [late, next] = [clients.mine.getFencedLock('guarding'), clients.other.getFencedLock('guarding')]
    const stopped = await takeBriefly(() => late.acquire({ leaseMs: 50 }))
    await using hold = await next.acquire()
    await clients.other.getFencingGuard(name).run(hold.fencingToken, 'SET', 'next')
    await expect(guard.run(stopped.fencingToken, 'SET', 'late')).rejects.toBeInstanceOf(StaleTokenError)
    expect(await stored()).toBe('next')
  })

  it('refuses an operand with half of a surrogate pair, which would be stored as another', async () => {
    const guard = clients.mine.getFencingGuard('half')
    await expect(guard.run(1, 'SET', 'a\ud800')).rejects.toBeInstanceOf(TypeError)
    expect(await guard.getLastToken()).toBe(0)
  })

  it.each([0, -1, 1.5, NaN, '1', null, undefined])('refuses a token of %o', async (token) => {
    await expect(guard.accepts(token as number)).rejects.toBeInstanceOf(RangeError)
    await expect(guard.run(token as number, 'SET', '')).rejects.toBeInstanceOf(RangeError)
  })
})
