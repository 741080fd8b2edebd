import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { NotInBatchError, type RBatch, type RedissonClient } from '../../../src/index.js'
import { isCleanUp } from '../../contracts/demand-refusals.js'
import type { Sample } from '../../contracts/subject.js'
import { KEPT, subjects, type AnySubject } from '../../contracts/subjects.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { watchedClient } from '../../support/watched-client.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string | symbol, (...args: readonly unknown[]) => unknown>>

const ADVICE =
  'because it was called on an object of the client: get the object from the batch, or call it after the batch'

const refusalOf = (call: string) =>
  expect.objectContaining({
    name: 'NotInBatchError',
    code: 'NOT_IN_BATCH',
    mayHaveRun: false,
    message: `${call} cannot be part of a batch, ${ADVICE}`,
  }) as unknown

describe('a call of the client inside the function of its batch', () => {
  noLeaks(single)
  const clients = twoClients(single)
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => {
    rejections.push(reason)
  }

  beforeAll(() => {
    process.on('unhandledRejection', onRejection)
  })
  afterAll(() => {
    process.off('unhandledRejection', onRejection)
  })
  afterEach(async () => {
    await setImmediate()
    expect(rejections.splice(0)).toEqual([])
    await clients.mine.getKeys().delete('mark', 'kept')
  })

  /** Demands that the batch is refused, and that nothing of it was sent, whether or not it returns the promise of the call. */
  async function demandRefused(call: string, make: () => unknown): Promise<void> {
    const { mine } = clients
    const withMark = (batch: RBatch) => batch.getAtomicLong('mark').incrementAndGet()
    const returned = mine.batch((batch) => [withMark(batch), make()], { mode: 'atomic' })
    await expect(returned).rejects.toEqual(refusalOf(call))
    const dropped = mine.batch(
      (batch) => {
        void withMark(batch)
        void make()
      },
      { skipResult: true },
    )
    await expect(dropped).rejects.toEqual(refusalOf(call))
    expect(await mine.getAtomicLong('mark').get()).toBe(0)
  }

  it('is refused of a map, whoever has it', async () => {
    const { mine } = clients
    const map = mine.getMap<string, number>('kept')
    await demandRefused('put() of kept', () => map.put('a', 1))
    await demandRefused('fastRemove() of kept', () => map.fastRemove('a'))
    await demandRefused('size() of kept', () =>
      mine.withSignal(new AbortController().signal).getMap('kept').size(),
    )
    await demandRefused('put() of kept', () => mine.runAsThread(() => map.put('a', 1)))
    await demandRefused('put() of kept', () => map.put('a', 1).catch(() => 0))
    expect(await map.isExists()).toBe(false)
  })

  it('is refused of a lock and of its hold', async () => {
    const lock = clients.mine.getLock('kept')
    await demandRefused('lock() of kept', () => lock.lock())
    await demandRefused('tryLock() of kept', () => lock.tryLock())
    expect(await lock.isLocked()).toBe(false)
    await using hold = await lock.acquire()
    await demandRefused('unlock() of kept', () => hold.unlock())
    await demandRefused('forceUnlock() of kept', () => lock.forceUnlock())
    expect([hold.isHeld, await lock.isLocked()]).toEqual([true, true])
  })

  it('is refused of a permit', async () => {
    const semaphore = clients.mine.getPermitExpirableSemaphore('kept', { permits: 1 })
    const permit = await semaphore.acquirePermit()
    await demandRefused('release()', () => permit.release())
    await demandRefused('availablePermits() of kept', () => semaphore.availablePermits())
    expect(permit.isHeld).toBe(true)
    await permit.release()
    await semaphore.delete()
  })

  it('is refused of a delivery of a reliable queue, which goes on', async () => {
    const queue = clients.mine.getReliableQueue<string>('kept')
    await queue.offerAll(['a', 'b'])
    const [first, second] = await queue.poll(2)
    await demandRefused('ack()', () => first?.ack())
    await demandRefused('nack()', () => second?.nack())
    await demandRefused('process() of kept', () => queue.process(() => undefined))
    expect([first?.isHeld, (await queue.counts()).inFlight]).toEqual([true, 2])
    await Promise.all([first?.ack(), second?.ack()])
    expect(await queue.isEmpty()).toBe(true)
    await queue.delete()
  })

  it('is refused of a delivery of a stream, even if another one is acknowledged in the same moment', async () => {
    const stream = clients.mine.getStream<string, number>('kept')
    await stream.add({ a: 1 })
    await stream.add({ a: 2 })
    const loop = stream.consumer('billing', { concurrency: 2 })[Symbol.asyncIterator]()
    const received = [await loop.next(), await loop.next()]
    const [first, second] = received.map(({ done, value }) => (done === true ? undefined : value))
    const acknowledged = first?.ack()
    await demandRefused('ack()', () => second?.ack())
    await acknowledged
    expect((await stream.getPendingInfo('billing')).total).toBe(1)
    await second?.ack()
    await loop.return?.()
    await stream.delete()
  })

  it('is refused of a topic', async () => {
    const { mine } = clients
    await demandRefused('publish() of kept', () => mine.getTopic('kept').publish(1))
    await demandRefused('addListener() of kept', () => mine.getTopic('kept').addListener(() => undefined))
    await demandRefused('publish() of kept', () => mine.getReliableTopic('kept').publish(1))
    expect(mine.getTopic('kept').countListeners()).toBe(0)
  })

  it('is refused of the client itself', async () => {
    const { mine } = clients
    await demandRefused('ping()', () => mine.ping())
    await demandRefused('batch()', () =>
      mine.batch((batch) => [batch.getAtomicLong('kept').incrementAndGet()]),
    )
    await demandRefused('delete()', () => mine.getKeys().delete('kept'))
    expect(await mine.getAtomicLong('kept').get()).toBe(0)
  })

  it('is not refused of another client, nor of a batch of another client inside', async () => {
    const { mine, other } = clients
    const results = await mine.batch((batch) => [
      batch.getAtomicLong('mark').incrementAndGet(),
      other.getAtomicLong('kept').incrementAndGet(),
      other.batch((inner) => [inner.getAtomicLong('kept').addAndGet(2), batch.getAtomicLong('mark').get()]),
    ])
    expect(results.slice(0, 2)).toEqual([1, 1])
    expect(await other.getAtomicLong('kept').get()).toBe(3)
    const across = mine.batch((batch) => {
      void other.batch(() => [mine.getAtomicLong('kept').delete()]).catch(() => undefined)
      return [batch.getAtomicLong('mark').incrementAndGet()]
    })
    await expect(across).rejects.toEqual(refusalOf('delete() of kept'))
    expect(await other.getAtomicLong('kept').get()).toBe(3)
  })

  it('is not refused of what follows from results, nor after the function, nor beside the batch', async () => {
    const { mine } = clients
    const long = mine.getAtomicLong('kept')
    const results = await mine.batch((batch) => [
      batch.getAtomicLong('mark').incrementAndGet(),
      batch
        .getMap('none')
        .get('k')
        .then(() => long.incrementAndGet()),
    ])
    expect(results).toEqual([1, 1])
    const batched = mine.batch((batch) => [batch.getAtomicLong('mark').incrementAndGet()])
    expect(await Promise.all([batched, long.incrementAndGet()])).toEqual([[2], 2])
    const failing = () => {
      throw new Error('by fn')
    }
    await expect(mine.batch(failing)).rejects.toThrow('by fn')
    expect(await long.incrementAndGet()).toBe(3)
  })

  it.each([
    ['queue', () => clients.mine.getBlockingQueue('mark:queue')],
    ['deque', () => clients.mine.getBlockingDeque('mark:queue')],
    ['priority queue', () => clients.mine.getPriorityBlockingQueue('mark:queue')],
    ['priority deque', () => clients.mine.getPriorityBlockingDeque('mark:queue')],
    ['bounded queue', () => clients.mine.getBoundedBlockingQueue('mark:queue')],
    ['transfer queue', () => clients.mine.getTransferQueue('mark:queue')],
  ])('is refused where it takes elements of a %s for a listener or an iteration', async (_, make) => {
    const queue = make()
    await demandRefused('subscribeOnElements() of mark:queue', () => {
      queue.subscribeOnElements(() => undefined)
    })
    await demandRefused('consume() of mark:queue', () => {
      queue.consume()
    })
  })

  it('is refused where it iterates over the deliveries of a reliable queue', async () => {
    await demandRefused('consume() of mark:queue', () => {
      clients.mine.getReliableQueue('mark:queue').consume()
    })
  })

  it('is named in its refusal, whichever end of a deque it subscribes to', async () => {
    const deque = clients.mine.getBlockingDeque('mark:queue')
    await demandRefused('subscribeOnLastElements() of mark:queue', () => {
      deque.subscribeOnLastElements(() => undefined)
    })
  })
})

describe('inside the function of a batch, any method of the client', () => {
  noLeaks(single, { except: KEPT })

  const watched = watchedClient(single)
  /** Those that ask Redis for nothing when they are called, or would harm others if they did. */
  const isFree = ({ refuses, asksNothing, harmsOthers }: Sample) =>
    refuses === 'by throwing' || asksNothing === true || harmsOthers === true

  async function outcomeOf(client: RedissonClient, call: () => unknown): Promise<unknown> {
    try {
      await client.batch(() => [call()])
      return 'was sent'
    } catch (error) {
      return error
    }
  }

  const callsOf = ({ methods }: AnySubject) =>
    Object.entries(methods).flatMap(([method, sample]) =>
      isFree(sample) ? [] : sample.forms.map((form) => [method, form.map(({ sound }) => sound)] as const),
    )

  /** Those whose end is no request of the program, and the client with its class, some of whose methods send nothing. */
  const others = ['subscription', 'reliableSubscription', 'client', 'Redisson']

  it.each(Object.entries(subjects).filter(([name]) => !others.includes(name)))(
    'is refused, and sends nothing: %s',
    async (name, subject) => {
      const { client, monitor } = watched
      const object = (await subject.make(client, name)) as Untyped
      try {
        const { length } = await monitor.deeds()
        const accepted: string[] = []
        for (const [method, args] of callsOf(subject)) {
          const outcome = await outcomeOf(client, () => object[method]?.(...args))
          if (!(outcome instanceof NotInBatchError)) accepted.push(`${method}: ${String(outcome)}`)
        }
        expect(accepted).toEqual([])
        const sent = (await monitor.deeds()).slice(length).filter((deed) => !isCleanUp(deed))
        expect(subject.worksByItself === true ? [] : sent).toEqual([])
      } finally {
        await subject.free?.(client, name)
      }
    },
  )
})
