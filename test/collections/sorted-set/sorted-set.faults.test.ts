import { describe, expect, it } from 'vitest'
import { Redisson, type LockHold, type RedissonClient, type RSortedSet } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const setOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getSortedSet(name, { exactlyOnce })

const ALL = ['k', 'l', 'm']

/** A call of a set that has some values before, and others afterwards. */
function calling(
  what: string,
  call: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [readonly string[], readonly string[]],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await setOf(client, name).delete()
      await setOf(client, name).addAll(before)
    },
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    answer,
    states: [before, after],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (set) => set.add('n'), true, [['k'], ['k', 'n']]),
  calling('addAll', (set) => set.addAll(['n', 'k', 'a']), true, [['k'], ['a', 'k', 'n']]),
  calling('remove', (set) => set.remove('k'), true, [['k'], []]),
  calling('removeAll', (set) => set.removeAll(['k', 'none']), true, [['k'], []]),
  calling('retainAll', (set) => set.retainAll(['k']), true, [ALL, ['k']]),
  calling('pollFirst', (set) => set.pollFirst(), 'k', [ALL, ['l', 'm']]),
  calling('pollFirst of many', (set) => set.pollFirst(2), ['k', 'l'], [ALL, ['m']]),
  calling('pollFirst that would wait', (set) => set.pollFirst({ waitMs: 60_000 }), 'k', [ALL, ['l', 'm']]),
  calling('pollLast', (set) => set.pollLast(), 'm', [ALL, ['k', 'l']]),
  calling('pollLast of many', (set) => set.pollLast(2), ['l', 'm'], [ALL, ['k']]),
  calling('clear', (set) => set.clear(), undefined, [ALL, []]),
]

const look = (client: RedissonClient, name: string) => setOf(client, name).readAll()

testLostReplies('a sorted set', calls, look)

/** A call of a set that has one value, while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  call: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  between: (set: ReturnType<typeof setOf>) => Promise<unknown>,
  answer: unknown,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => setOf(client, name).add('k'),
    call: (client, name, exactlyOnce) => call(setOf(client, name, exactlyOnce)),
    between: (client, name) => between(setOf(client, name)),
    answer,
    rejects: true,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'add',
    (set) => set.add('new'),
    (set) => set.remove('new'),
    true,
  ),
  overtaken(
    'remove',
    (set) => set.remove('k'),
    (set) => set.add('k'),
    true,
  ),
  overtaken(
    'pollFirst',
    (set) => set.pollFirst(),
    (set) => set.add('other'),
    'k',
  ),
]

testOvertakenCalls('a sorted set', repeated, look)

describe('a change of a sorted set under the lock of Java', () => {
  noLeaks(single)

  it.each<
    [what: string, change: (set: RSortedSet<number>) => Promise<unknown>, result: unknown, left: number[]]
  >([
    ['add', (set) => set.add(4), true, [1, 2, 4]],
    ['remove', (set) => set.remove(2), true, [1]],
    ['pollFirst', (set) => set.pollFirst(), 1, [2]],
  ])(
    'waits once more if the lock was lost before the request arrives: %s',
    async (what, change, result, left) => {
      const name = `lock-lost-${what}`
      const door = await proxied(single)
      await using client = await Redisson.create(door.options())
      await using other = await Redisson.create(single.options())
      const theirs = other.getSortedSet<number>(name)
      await theirs.addAll([1, 2])
      const lock = other.getLock(`redisson_sortedset_lock:{${name}}`)
      const first = await lock.acquire()
      const underLock = (request: string) =>
        request.includes(client.id) && !/redisson_unlock_latch|setname/i.test(request) // the name of a connection has the id as well
      const lost = Promise.withResolvers<LockHold>()
      const waiting = Promise.withResolvers<undefined>()
      door.proxies[0]?.onRequest('redisson_lock__channel', () => {
        waiting.resolve(undefined)
      })
      door.proxies[0]?.onRequest(underLock, async () => {
        await lock.forceUnlock()
        lost.resolve(await lock.acquire())
      })
      const changed = change(client.getSortedSet<number>(name))
      await waiting.promise
      await first.unlock()
      const second = await lost.promise
      await client.getBucket(name).isExists() // the request has arrived by then
      expect(await theirs.readAll()).toEqual([1, 2])
      await second.unlock()
      expect(await changed).toBe(result)
      expect(await theirs.readAll()).toEqual(left)
      await theirs.delete()
      await door.stop()
    },
  )
})
