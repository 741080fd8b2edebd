import { expect, it, describe } from 'vitest'
import type { AnyLock, LockTimeoutError, RedissonClient } from '../../../src/index.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const refusal = async (lock: AnyLock, waitMs = 300): Promise<LockTimeoutError> =>
  (await lock.withLock(() => undefined, { waitMs }).catch((error: unknown) => error)) as LockTimeoutError

describe('a lock that is not free in time', () => {
  const clients = twoClients(single)
  noLeaks(single)

  it('says who has it, also if that is the client that asked', async () => {
    await using hold = await clients.mine.getLock('a').acquire({ leaseMs: 600_000 })
    const [mine, theirs] = [
      await refusal(clients.mine.getLock('a')),
      await refusal(clients.other.getLock('a')),
    ]
    expect([mine, theirs]).toMatchObject([
      { holder: { owner: hold.owner } },
      { holder: { owner: hold.owner } },
    ])
    expect(mine.message).toMatch(
      /^Lock a was not free within 300 ms: it is held by \S+ \(this client\) for another \d+ ms$/,
    )
    expect(theirs.message).toMatch(
      /^Lock a was not free within 300 ms: it is held by \S+ for another \d+ ms$/,
    )
    expect(theirs.holder?.remainingMs).toBeGreaterThan(540_000) // a test takes no longer
    expect(theirs.holder?.remainingMs).toBeLessThanOrEqual(600_000)
  })

  it('is reported as JSON by its name, its code, and what it knows of the lock, and by nothing else', async () => {
    await using hold = await clients.other.getLock('a').acquire()
    const error = await refusal(clients.mine.getLock('a'))
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'LockTimeoutError',
      code: 'LOCK_TIMEOUT',
      lock: 'a',
      waitMs: 300,
      holder: { owner: hold.owner, remainingMs: error.holder?.remainingMs },
    })
  })

  it('tells a holder without an end', async () => {
    await single.nodes[0].command('HSET', 'a', 'java:1', '1')
    const error = await refusal(clients.mine.getLock('a'))
    expect(error.holder).toEqual({ owner: 'java:1', remainingMs: -1 })
    expect(error.message).toContain('it is held by java:1 without an end')
    await single.nodes[0].command('DEL', 'a')
  })

  it.each<[string, (client: RedissonClient) => AnyLock, (client: RedissonClient) => AnyLock]>([
    [
      'a writer by a reader',
      (it) => it.getReadWriteLock('a').readLock(),
      (it) => it.getReadWriteLock('a').writeLock(),
    ],
    [
      'a reader by a writer',
      (it) => it.getReadWriteLock('a').writeLock(),
      (it) => it.getReadWriteLock('a').readLock(),
    ],
    [
      'a multi-lock by a member',
      (it) => it.getLock('b'),
      (it) => it.getMultiLock(it.getLock('a'), it.getLock('b')),
    ],
    [
      'values by one of them',
      (it) => it.getMultiLock('a', ['x']),
      (it) => it.getMultiLock('a', ['w', 'x', 'y']),
    ],
  ])('says who keeps out %s', async (_, held, asked) => {
    await held(clients.other).withLock(async (hold) => {
      expect(await refusal(asked(clients.mine))).toMatchObject({ holder: { owner: hold.owner } })
    })
    expect(await refusal(asked(clients.mine), 20_000)).toBeUndefined()
  })

  it(
    'does not know who has it behind others of its process, which ask for it',
    { tags: ['timed'] },
    async () => {
      await using hold = await clients.other.getLock('a').acquire()
      const first = refusal(clients.mine.getLock('a'), 200)
      await untilAwaited(single, 'a')
      const behind = await refusal(clients.mine.getLock('a'), 50)
      expect(behind.holder).toBeUndefined()
      expect(behind.message).toBe('Lock a was not free within 50 ms')
      expect(await first).toMatchObject({ holder: { owner: hold.owner } })
    },
  )
})

describe('a lock of locks', () => {
  const clients = twoClients(single)

  it('is not given its members as a list', () => {
    const members = [clients.mine.getLock('a'), clients.mine.getLock('b')]
    expect(() => clients.mine.getMultiLock(members as never)).toThrow('Pass the locks as arguments')
  })
})
