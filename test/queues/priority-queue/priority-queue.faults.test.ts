import { describe, expect, it } from 'vitest'
import { Redisson, type LockHold, type RedissonClient, type RPriorityDeque } from '../../../src/index.js'
import {
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const queueOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getPriorityBlockingDeque(name, { exactlyOnce })

type Queue = ReturnType<typeof queueOf>

const ALL = ['k', 'l', 'l', 'm']

/** A call of a queue that has some elements before, and others afterwards. */
function calling(
  what: string,
  call: (queue: Queue) => Promise<unknown>,
  answer: unknown,
  [before, after]: readonly [readonly string[], readonly string[]],
): CountingCall {
  return {
    what,
    prepare: async (client, name) => {
      await queueOf(client, name).delete()
      await queueOf(client, name).addAll(before)
    },
    call: (client, name, exactlyOnce) => call(queueOf(client, name, exactlyOnce)),
    answer,
    states: [before, after],
  }
}

const calls: readonly CountingCall[] = [
  calling('add', (queue) => queue.add('k'), true, [['k'], ['k', 'k']]),
  calling('offer', (queue) => queue.offer('n'), true, [['k'], ['k', 'n']]),
  calling('put', (queue) => queue.put('a'), undefined, [['k'], ['a', 'k']]),
  calling('addAll', (queue) => queue.addAll(['n', 'k', 'a']), true, [['k'], ['a', 'k', 'k', 'n']]),
  calling('remove', (queue) => queue.remove('l'), true, [ALL, ['k', 'l', 'm']]),
  calling('remove of the head', (queue) => queue.remove(), 'k', [ALL, ['l', 'l', 'm']]),
  calling('removeAll', (queue) => queue.removeAll(['l', 'none']), true, [ALL, ['k', 'm']]),
  calling('retainAll', (queue) => queue.retainAll(['l']), true, [ALL, ['l', 'l']]),
  calling('removeLastOccurrence', (queue) => queue.removeLastOccurrence('l'), true, [ALL, ['k', 'l', 'm']]),
  calling('poll', (queue) => queue.poll(), 'k', [ALL, ['l', 'l', 'm']]),
  calling('poll of many', (queue) => queue.poll(2), ['k', 'l'], [ALL, ['l', 'm']]),
  calling('take', (queue) => queue.take(), 'k', [ALL, ['l', 'l', 'm']]),
  calling('takeLast', (queue) => queue.takeLast(), 'm', [ALL, ['k', 'l', 'l']]),
  calling('pollLast of many', (queue) => queue.pollLast(2), ['m', 'l'], [ALL, ['k', 'l']]),
  calling('drainTo', (queue) => queue.drainTo(), ALL, [ALL, []]),
  calling('clear', (queue) => queue.clear(), undefined, [ALL, []]),
]

const look = (client: RedissonClient, name: string) => queueOf(client, name).readAll()

testLostReplies('a priority queue', calls, look)

/** A call of a queue that has one element, while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  call: (queue: Queue) => Promise<unknown>,
  between: (queue: Queue) => Promise<unknown>,
  answer: unknown,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => queueOf(client, name).add('k'),
    call: (client, name, exactlyOnce) => call(queueOf(client, name, exactlyOnce)),
    between: (client, name) => between(queueOf(client, name)),
    answer,
    rejects: true,
  }
}

testOvertakenCalls(
  'a priority queue',
  [
    overtaken(
      'add',
      (queue) => queue.add('new'),
      (queue) => queue.remove('new'),
      true,
    ),
    overtaken(
      'remove',
      (queue) => queue.remove('k'),
      (queue) => queue.add('k'),
      true,
    ),
    overtaken(
      'poll',
      (queue) => queue.poll(),
      (queue) => queue.add('other'),
      'k',
    ),
  ],
  look,
)

describe('a move of a priority queue whose reply is lost', () => {
  noLeaks(single)

  it.each(['pollLastAndOfferFirstTo', 'move'] as const)('moves each element once: %s', async (method) => {
    const door = await proxied(single)
    await using client = await Redisson.create(door.options())
    await using other = await Redisson.create(single.options())
    const name = `{lost-priority-move-${method}}`
    const queue = client.getPriorityQueue(name, { exactlyOnce: true })
    const target = other.getQueue<string>(`${name}:to`)
    const move = () =>
      method === 'move' ? queue.move({ to: target.name }) : queue.pollLastAndOfferFirstTo(target.name)
    await queue.addAll(['a', 'b', 'c', 'd'])
    await move() // the server knows the script
    door.proxies[0]?.loseReplyTo(/^evalsha/i)
    expect(await move()).toEqual(method === 'move' ? ['b'] : 'c')
    expect(await target.readAll()).toEqual(method === 'move' ? ['a', 'b'] : ['c', 'd'])
    expect(await queue.readAll()).toEqual(method === 'move' ? ['c', 'd'] : ['a', 'b'])
    await queue.delete()
    await target.delete()
    await door.stop()
  })
})

describe('a change of a priority queue under the lock of Java', () => {
  noLeaks(single)

  it.each<
    [
      what: string,
      change: (queue: RPriorityDeque<number>) => Promise<unknown>,
      result: unknown,
      left: readonly number[],
    ]
  >([
    ['add', (queue) => queue.add(2), true, [1, 2, 2]],
    ['remove', (queue) => queue.remove(2), true, [1]],
    ['pollLast', (queue) => queue.pollLast(), 2, [1]],
  ])(
    'waits once more if the lock was lost before the request arrives: %s',
    async (what, change, result, left) => {
      const name = `priority-lock-lost-${what}`
      const door = await proxied(single)
      await using client = await Redisson.create(door.options())
      await using other = await Redisson.create(single.options())
      const theirs = other.getPriorityQueue<number>(name)
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
      const changed = change(client.getPriorityDeque<number>(name))
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
