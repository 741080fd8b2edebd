import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RTransferQueue } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(slottedTopologies)('a transfer queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0
  let mine: RTransferQueue<string>
  let other: RTransferQueue<string>

  beforeEach(() => {
    const name = `transfers-${String(names++)}`
    mine = clients.mine.getTransferQueue<string>(name)
    other = clients.other.getTransferQueue<string>(name)
  })

  afterEach(async () => {
    await mine.delete()
    await waiting(0)
  })

  /** Resolves once so many consumers wait. */
  const waiting = (count: number) =>
    eventually(async () => {
      expect(await mine.getWaitingConsumerCount()).toBe(count)
    })

  /** Resolves once there are so many elements. */
  const size = (count: number) =>
    eventually(async () => {
      expect(await other.size()).toBe(count)
    })

  /** A transfer, and whether it has ended. */
  const begun = (transferring: Promise<unknown>) => {
    const state = { isOver: false, transferring }
    const end = () => {
      state.isOver = true
    }
    transferring.then(end, end)
    return state
  }

  describe('transfer()', () => {
    it.each([
      ['take()', (queue: RTransferQueue<string>) => queue.take()],
      ['poll()', (queue: RTransferQueue<string>) => queue.poll()],
      ['a poll() that waits', (queue: RTransferQueue<string>) => queue.poll({ waitMs: LONG_MS })],
      ['remove()', (queue: RTransferQueue<string>) => queue.remove()],
      ['drainTo()', async (queue: RTransferQueue<string>) => (await queue.drainTo())[0]],
    ])('resolves when its element is taken by %s, and not before', async (_, take) => {
      const { transferring, ...state } = begun(mine.transfer('a'))
      await size(1)
      expect(await other.peek()).toBe('a')
      expect(state.isOver).toBe(false)
      expect(await take(other)).toBe('a')
      await transferring
      expect(await other.isExists()).toBe(false)
    })

    it('resolves when a consumer waits already, here or elsewhere', async () => {
      for (const consumer of [mine, other]) {
        const taken = consumer.take()
        await waiting(1)
        await mine.transfer('a')
        expect(await taken).toBe('a')
        await waiting(0)
      }
    })

    it('keeps the order of all elements, and wakes the producer of each of them alone', async () => {
      await mine.put('a')
      const b = begun(mine.transfer('b'))
      await size(2)
      await other.add('c')
      const d = begun(other.transfer('b'))
      await size(4)
      expect(await other.readAll()).toEqual(['a', 'b', 'c', 'b'])
      expect(await other.poll(2)).toEqual(['a', 'b'])
      await b.transferring
      expect(d.isOver).toBe(false)
      expect(await mine.poll(5)).toEqual(['c', 'b'])
      await d.transferring
    })

    it('ends with its signal, and removes its element', async () => {
      await mine.put('x')
      const abort = new AbortController()
      const transferring = mine.transfer('x', { signal: abort.signal })
      await size(2)
      abort.abort(new Error('enough'))
      await expect(transferring).rejects.toThrow('enough')
      expect(await other.readAll()).toEqual(['x'])
      await expect(mine.transfer('y', { signal: abort.signal })).rejects.toThrow('enough')
      expect(await other.readAll()).toEqual(['x'])
    })

    it.each([
      ['remove(value)', (queue: RTransferQueue<string>) => queue.remove('a')],
      ['clear()', (queue: RTransferQueue<string>) => queue.clear()],
      ['delete()', (queue: RTransferQueue<string>) => queue.delete()],
      ['unlink()', (queue: RTransferQueue<string>) => queue.unlink()],
      ['retainAll()', (queue: RTransferQueue<string>) => queue.retainAll([])],
      ['rename()', (queue: RTransferQueue<string>) => queue.rename(`{${queue.name}}:new`)],
    ])('ends when its element is removed by %s', async (_, remove) => {
      const transferring = mine.transfer('a')
      await size(1)
      await remove(other)
      await transferring
      await clients.mine.getTransferQueue(`{${mine.name}}:new`).delete()
    })

    it('is a hand-off for many producers and consumers at once', async () => {
      const transfers = Array.from({ length: 20 }, (_, each) => mine.transfer(`a${String(each)}`))
      const takes = Array.from({ length: 20 }, (_, each) => (each % 2 === 0 ? mine : other).take())
      const taken = await Promise.all(takes)
      await Promise.all(transfers)
      expect(new Set(taken).size).toBe(20)
    })

    it('leaves nothing behind when its client is shut down', async () => {
      const client = await Redisson.create(topology.options())
      const transferring = client.getTransferQueue(mine.name).transfer('a')
      transferring.catch(() => undefined)
      await size(1)
      await client.shutdown()
      await expect(transferring).rejects.toMatchObject({ code: 'CLOSED' })
      expect(await mine.size()).toBe(0)
    })

    it('is not for batches, unlike what is one request', async () => {
      const { name } = mine
      const transferring = clients.mine.batch((batch) => [batch.getTransferQueue(name).transfer('a')])
      await expect(transferring).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
      const results = await clients.mine.batch((batch) => {
        const queue = batch.getTransferQueue<string>(name)
        return [queue.put('b'), queue.getWaitingConsumerCount(), queue.contains('b'), queue.poll()] as const
      })
      expect(results).toEqual([undefined, 0, true, 'b'])
    })

    it('refuses what is no value, and what are no options', async () => {
      await expect(mine.transfer(undefined as never)).rejects.toThrow(TypeError)
      await expect(mine.transfer('a', { waitMs: 1 } as never)).rejects.toThrow(TypeError)
      await expect(mine.tryTransfer('a', NaN)).rejects.toThrow(RangeError)
      expect(await mine.isExists()).toBe(false)
    })
  })

  describe('tryTransfer()', () => {
    it('adds nothing if no consumer waits', async () => {
      expect(await mine.tryTransfer('a')).toBe(false)
      expect(await mine.tryTransfer('a', 0)).toBe(false)
      expect(await mine.tryTransfer('a', -1)).toBe(false)
      expect(await other.isExists()).toBe(false)
    })

    it.each(['here', 'elsewhere'])('hands a value to a consumer that waits %s', async (where) => {
      const taken = (where === 'here' ? mine : other).take()
      await waiting(1)
      expect(await mine.tryTransfer('a')).toBe(true)
      expect(await taken).toBe('a')
    })

    it('hands no more values over than consumers wait', async () => {
      const taken = [other.take(), other.take(), mine.take()]
      await waiting(3)
      const tried = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((value) => mine.tryTransfer(value)))
      expect(tried).toEqual([true, true, true, false, false])
      expect(new Set(await Promise.all(taken))).toEqual(new Set(['a', 'b', 'c']))
      expect(await mine.size()).toBe(0)
    })

    it('withdraws a value if the consumer that was counted does not come', async () => {
      const untilMs = Date.now() + LONG_MS
      await askOwner(topology, `{${mine.name}}:consumers`, 'HSET', 'f00', `2 ${String(untilMs)}`)
      expect(await mine.getWaitingConsumerCount()).toBe(2)
      expect(await mine.tryTransfer('a')).toBe(false)
      expect(await mine.size()).toBe(0)
      await askOwner(topology, `{${mine.name}}:consumers`, 'DEL')
    })

    it('waits for a consumer', async () => {
      const tried = mine.tryTransfer('a', LONG_MS)
      await size(1)
      expect(await other.take()).toBe('a')
      expect(await tried).toBe(true)
    })

    it('removes its value when its time is over', async () => {
      await mine.put('a')
      expect(await mine.tryTransfer('a', 20)).toBe(false)
      expect(await mine.readAll()).toEqual(['a'])
    })

    it('ends with its signal, and removes its value', async () => {
      const abort = new AbortController()
      const tried = mine.tryTransfer('a', Infinity, { signal: abort.signal })
      await size(1)
      abort.abort(new Error('enough'))
      await expect(tried).rejects.toThrow('enough')
      expect(await mine.size()).toBe(0)
    })

    it('says what became of the value, in a race of its end with a consumer', async () => {
      for (let round = 0; round < 50; round += 1) {
        const tried = mine.tryTransfer('a', 1 + (round % 4))
        const taken = await other.poll()
        const left = (await tried) ? taken : undefined
        expect([await tried, left, await other.size()]).toEqual([taken === 'a', taken, 0])
      }
    })
  })

  describe('consumers that wait', () => {
    it('are counted in all processes, and not when they have ended', async () => {
      expect([await mine.hasWaitingConsumer(), await mine.getWaitingConsumerCount()]).toEqual([false, 0])
      const abort = new AbortController()
      const takes = [
        mine.take(),
        mine.take({ signal: abort.signal }),
        other.take(),
        other.poll(3, { waitMs: LONG_MS }),
      ]
      await waiting(4)
      expect(await other.hasWaitingConsumer()).toBe(true)
      abort.abort(new Error('enough'))
      await expect(takes[1]).rejects.toThrow('enough')
      await waiting(3)
      await mine.addAll(['a', 'b', 'c'])
      await waiting(0)
      expect((await Promise.allSettled(takes)).map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
      ])
    })

    it('are those of iterations and subscriptions too', async () => {
      const values: string[] = []
      const subscription = mine.subscribeOnElements((value) => values.push(value))
      await waiting(1)
      await other.transfer('a')
      await eventually(() => values.length === 1)
      await subscription.unsubscribe()
      await waiting(0)
      const iteration = mine.consume()[Symbol.asyncIterator]()
      const next = iteration.next()
      await waiting(1)
      await other.transfer('b')
      expect([values, await next]).toEqual([['a'], { done: false, value: 'b' }])
      await iteration.return?.()
    })

    it('stay counted for as long as they wait', { tags: ['timed'] }, async () => {
      const taken = mine.take()
      await waiting(1)
      await sleep(6_000)
      expect(await other.getWaitingConsumerCount()).toBe(1)
      await other.put('a')
      await taken
    })

    it('are not counted any more when their client has been shut down', async () => {
      const client = await Redisson.create(topology.options())
      const taken = client.getTransferQueue(mine.name).take()
      taken.catch(() => undefined)
      await waiting(1)
      await client.shutdown()
      await expect(taken).rejects.toMatchObject({ code: 'CLOSED' })
      expect(await mine.getWaitingConsumerCount()).toBe(0)
    })
  })

  describe('elements', () => {
    it('are found by their values, whether a producer waits for them or not', async () => {
      const transferring = begun(mine.transfer('b'))
      await size(1)
      await mine.addAll(['a', 'b'])
      expect(await Promise.all(['a', 'b', 'c'].map((value) => other.contains(value)))).toEqual([
        true,
        true,
        false,
      ])
      expect([await other.containsAll(['a', 'b']), await other.containsAll(['a', 'c'])]).toEqual([
        true,
        false,
      ])
      expect([await other.indexOf('a'), await other.indexOf('b'), await other.indexOf('c')]).toEqual([
        1, 0, -1,
      ])
      expect([await other.remove('b'), await other.remove('c')]).toEqual([true, false])
      await transferring.transferring
      expect(await other.readAll()).toEqual(['a', 'b'])
    })

    it('are removed and retained by their values, in any number', async () => {
      const values = Array.from({ length: 6_000 }, (_, each) => String(each))
      const abort = new AbortController()
      const transferring = begun(mine.transfer('7', { signal: abort.signal }))
      await size(1)
      await mine.addAll(values)
      expect(await mine.retainAll(values)).toBe(false)
      expect(await mine.size()).toBe(6_001)
      expect(await mine.retainAll(values.slice(0, 5_500))).toBe(true)
      expect(await mine.size()).toBe(5_501)
      expect(await mine.removeAll(values.slice(10, 5_500))).toBe(true)
      expect(await mine.readAll()).toEqual(['7', ...values.slice(0, 10)])
      expect(transferring.isOver).toBe(false)
      expect(await mine.retainAll(['7'])).toBe(true)
      expect(await mine.removeAll(['8'])).toBe(false)
      expect(await mine.poll(9)).toEqual(['7', '7'])
      await transferring.transferring
    })

    it('are walked through without a change, and demanded', async () => {
      await expect(mine.element()).rejects.toMatchObject({ code: 'NO_SUCH_ELEMENT' })
      await expect(mine.remove()).rejects.toMatchObject({ code: 'NO_SUCH_ELEMENT' })
      expect(await mine.peek()).toBeUndefined()
      await mine.addAll(['a', 'b'])
      expect(await mine.offer('c')).toBe(true)
      const walked: string[] = []
      for await (const each of mine) walked.push(each)
      expect([walked, await mine.element(), await mine.isEmpty()]).toEqual([['a', 'b', 'c'], 'a', false])
      expect([await mine.poll(0), await mine.poll(2), await mine.remove()]).toEqual([[], ['a', 'b'], 'c'])
    })
  })
})
