import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askAll } from '../../support/ask-all.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'
import { Taking } from './taking.js'

/** Longer than it takes to tell of a change. */
const A_WHILE_MS = 200

describe.each(slottedTopologies)('changes of keys at a $kind', (topology) => {
  let taking: Taking
  let names = 0
  let key: string

  noLeaks(topology)

  beforeAll(async () => {
    taking = await Taking.at(topology.options({ clientName: 'the-taker' }))
  })

  beforeEach(() => {
    key = `{changed-${String(names++)}}`
  })

  afterAll(async () => {
    await taking[Symbol.asyncDispose]()
  })

  const push = (...elements: readonly string[]) => askOwner(topology, key, 'RPUSH', ...elements)
  const waiting = () => eventually(() => taking.isWaiting(key))

  it('wake one that waits for an element', async () => {
    const taken = taking.take(key)
    await waiting()
    await push('a')
    expect(await taken).toBe('a')
  })

  it('wake when it comes by a script, under another name, or from another list', async () => {
    const owner = await ownerOf(topology, key)
    const other = `${key}-other`
    const ways = [
      () => owner.command('EVAL', "return redis.call('rpush', KEYS[1], 'x')", 1, key),
      async () => {
        await owner.command('RPUSH', other, 'x')
        await owner.command('RENAME', other, key)
      },
      async () => {
        await owner.command('RPUSH', other, 'x')
        await owner.command('RPOPLPUSH', other, key)
      },
    ]
    for (const way of ways) {
      const taken = taking.take(key)
      await waiting()
      await way()
      expect(await taken).toBe('x')
    }
  })

  it('wake for each of many elements, with pauses and without', async () => {
    for (let n = 0; n < 200; n += 1) {
      const taken = taking.take(key)
      if (n % 2 === 0) await waiting()
      await push(String(n))
      expect(await taken).toBe(String(n))
    }
  })

  it('wake takers until each has an element, none of which is taken twice', async () => {
    const takers = Array.from({ length: 50 }, () => taking.take(key))
    const all = Array.from({ length: 50 }, (_, n) => String(n))
    for (let n = 0; n < all.length; n += 10) await push(...all.slice(n, n + 10))
    const taken = await Promise.all(takers)
    expect(taken.sort()).toEqual(all.sort())
    expect(await askOwner(topology, key, 'EXISTS')).toBe(0)
  })

  it('wake several clients, of which one has each element', async () => {
    const other = await Taking.at(topology.options())
    const all = Array.from({ length: 100 }, (_, n) => String(n))
    const takers = all.map((_, n) => (n % 2 === 0 ? taking : other).take(key))
    for (const element of all) await push(element)
    const taken = await Promise.all(takers)
    expect(taken.sort()).toEqual(all.sort())
    await other[Symbol.asyncDispose]()
  })

  it('take nothing for one that has given up', async () => {
    const giveUp = new AbortController()
    const taken = taking.take(key, { signal: giveUp.signal })
    await waiting()
    giveUp.abort(new Error('enough'))
    await expect(taken).rejects.toThrow('enough')
    expect(await taking.take(key, { waitMs: 300 })).toBeUndefined()
    await push('a')
    await sleep(A_WHILE_MS)
    expect(await askOwner(topology, key, 'LRANGE', 0, -1)).toEqual(['a'])
    expect(await taking.take(key)).toBe('a')
  })

  it('are heard over two connections to a node, of however many keys', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => `changed-${String(n)}`)
    const takers = keys.map((each) => taking.take(each))
    await eventually(() => keys.every((each) => taking.isWaiting(each)))
    const lists = await askAll(topology.nodes, (node) => node.command('CLIENT', 'LIST'))
    for (const lines of lists.map((list) => String(list).split('\n'))) {
      const own = lines.filter((line) => line.includes(' name=the-taker '))
      expect(own.filter((line) => /cmd=(exists|subscribe|client)/.test(line)).length).toBeLessThanOrEqual(2)
    }
    for (const each of keys) await askOwner(topology, each, 'RPUSH', each)
    expect(await Promise.all(takers)).toEqual(keys)
  })

  it('cost no connection where no key has been waited for during a minute', async () => {
    await using idle = await Taking.at(topology.options({ clientName: 'the-idle-taker' }))
    const owner = await ownerOf(topology, key)
    const connections = async () =>
      String(await owner.command('CLIENT', 'LIST')).split(' name=the-idle-taker ').length
    const takeOne = async () => {
      const taken = idle.take(key)
      await push('a')
      expect(await taken).toBe('a')
      await setImmediate() // it listens no more
    }
    const before = await connections()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await takeOne().finally(() => vi.useRealTimers())
    expect(await connections()).toBe(before + 2)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await takeOne()
    await vi.advanceTimersByTimeAsync(60_000).finally(() => vi.useRealTimers())
    await eventually(async () => expect(await connections()).toBe(before))
    await takeOne()
  })
})
