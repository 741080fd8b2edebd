import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BatchError, isRedissonError, Redisson, type RBatch } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { lazyThenable } from '../../support/lazy-thenable.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** What rejects, or undefined. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
    return undefined
  } catch (error) {
    return error
  }
}

describe.each(slottedTopologies)('a batch ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const names = ['batch:a', 'batch:b', 'batch:c', 'batch:d', 'batch:e', 'batch:f', '{batch}1', '{batch}2']

  afterEach(async () => {
    for (const name of [...names, 'batch:map']) await clients.mine.getBucket(name).delete()
  })

  it('returns the results in the order in which the calls were returned', async () => {
    const [long, bucket, map, plain] = await clients.mine.batch((batch) => {
      const counted = batch.getAtomicLong('batch:a').incrementAndGet()
      const before = batch.getMap<string, number>('batch:map').put('k', 1)
      const set = batch.getBucket<string>('batch:b').set('text')
      return [set, counted, before, 'a value'] as const
    })
    expect([long, bucket, map, plain]).toEqual([undefined, 1, undefined, 'a value'])
  })

  it('has calls about one key take effect in their order, whatever they are', async () => {
    const results = await clients.mine.batch((batch) => {
      const long = batch.getAtomicLong('batch:a')
      return [
        long.set(5),
        long.incrementAndGet(),
        long.compareAndSet(6, 10),
        long.getAndAdd(2),
        long.get(),
        long.expire(60_000),
        long.delete(),
        long.get(),
      ]
    })
    expect(results).toEqual([undefined, 6, true, 10, 12, true, true, 0])
  })

  it('reaches all slots, and buckets of several', async () => {
    const counted = await clients.mine.batch((batch) =>
      names.map((name) => batch.getAtomicLong(name).addAndGet(7)),
    )
    expect(counted).toEqual(names.map(() => 7))
    const [all, none] = await clients.mine.batch((batch) => [
      batch.getBuckets<number>().get(...names),
      batch.getBuckets().get(),
    ])
    expect([all.size, none.size]).toEqual([names.length, 0])
  })

  it('sends nothing before its function has returned', async () => {
    const { mine, other } = clients
    const added = await mine.batch((batch) => {
      const promise = batch.getAtomicLong('batch:a').incrementAndGet()
      return [promise, other.getAtomicLong('batch:a').get()]
    })
    expect(added[0]).toBe(1)
    expect(await mine.batch(() => [])).toEqual([])
  })

  it('has many calls', async () => {
    const wanted = Array.from({ length: 3_000 }, (_, index) => index + 1)
    const counted = await clients.mine.batch((batch) => {
      const long = batch.getAtomicLong('batch:a')
      return wanted.map(() => long.incrementAndGet())
    })
    expect(counted).toEqual(wanted)
  })

  it('publishes', async () => {
    const { mine, other } = clients
    const heard: unknown[] = []
    await using _ = await other.getTopic('batch:topic').addListener((message) => {
      heard.push(message)
    })
    await mine.batch((batch) => [
      batch.getTopic('batch:topic').publish(1),
      batch.getTopic('batch:topic').publish(2),
    ])
    await vi.waitFor(
      () => {
        expect(heard).toEqual([1, 2])
      },
      { timeout: 10_000 },
    )
  })

  it.each([{}, { mode: 'atomic' }, { exactlyOnce: true }] as const)(
    'stores messages with the change that they are about (%o)',
    async (options) => {
      const { mine, other } = clients
      const topic = other.getReliableTopic<number>('{batch}topic')
      const heard: number[] = []
      await using _ = await topic.addListener((message) => {
        heard.push(message)
      })
      const results = await mine.batch(
        (batch) => [
          batch.getBucket<string>('{batch}1').set('paid'),
          batch.getReliableTopic<number>('{batch}topic').publish(7),
          batch.getReliableQueue<number>('{batch}queue').offer(8),
          batch.getStream<string, number>('{batch}stream').add({ n: 9 }),
        ],
        options,
      )
      expect(results).toEqual([undefined, 1, expect.any(String), expect.any(String)])
      expect(await mine.getBucket('{batch}1').get()).toBe('paid')
      await vi.waitFor(
        () => {
          expect(heard).toEqual([7])
        },
        { timeout: 10_000 },
      )
      const delivery = await other.getReliableQueue<number>('{batch}queue').poll()
      expect(delivery?.value).toBe(8)
      await delivery?.ack()
      expect(await other.getStream('{batch}stream').size()).toBe(1)
      for (const name of ['{batch}queue', '{batch}stream', '{batch}topic'] as const)
        await (name === '{batch}queue' ? mine.getReliableQueue(name) : mine.getStream(name)).delete()
    },
  )

  it('publishes no message of a step that is not sent', async () => {
    const { mine } = clients
    const batched = mine.batch(
      (batch) => [
        batch.getReliableTopic('{batch}topic').publish(1),
        batch.getReliableTopic('{batch}topic').publish(undefined),
      ],
      { mode: 'atomic' },
    )
    await expect(batched).rejects.toThrow('Expected a message')
    expect(await mine.getReliableTopic('{batch}topic').size()).toBe(0)
  })

  it.each(['pipeline', 'atomic'] as const)('tells what has failed, and keeps the rest (%s)', async (mode) => {
    const { mine } = clients
    await mine.getBucket('{batch}1').set('no number')
    const error = await failureOf(
      mine.batch(
        (batch) => {
          batch
            .getAtomicLong('{batch}1')
            .decrementAndGet()
            .catch(() => undefined)
          return [
            batch.getAtomicLong('{batch}2').incrementAndGet(),
            batch.getAtomicLong('{batch}1').incrementAndGet(),
            batch.getBucket('{batch}1').get(),
          ]
        },
        { mode },
      ),
    )
    expect(error).toBeInstanceOf(BatchError)
    const { message, cause, failures, results, mayHaveRun } = error as BatchError
    expect(message).toBe('2 of 4 calls of the batch have failed, first decrementAndGet() of {batch}1')
    expect(cause).toMatchObject({ code: 'WRONG_TYPE', object: '{batch}1' })
    expect(failures).toMatchObject([
      { index: undefined, object: '{batch}1', method: 'decrementAndGet', error: { code: 'WRONG_TYPE' } },
      { index: 1, object: '{batch}1', method: 'incrementAndGet', error: { code: 'WRONG_TYPE' } },
    ])
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected' },
      { status: 'fulfilled', value: 'no number' },
    ])
    expect(mayHaveRun).toBe(true)
    expect(await mine.getAtomicLong('{batch}2').get()).toBe(1)
  })

  it('takes the promises that a program has made of its own', async () => {
    const { mine } = clients
    const results = await mine.batch((batch) => [
      batch
        .getAtomicLong('batch:a')
        .incrementAndGet()
        .then((value) => value * 10),
      Promise.resolve('other'),
    ])
    expect(results).toEqual([10, 'other'])
    const error = await failureOf(
      mine.batch((batch) => [batch.getAtomicLong('batch:a').get(), Promise.reject(new Error('own'))]),
    )
    expect(error).toMatchObject({ code: 'BATCH', cause: { message: 'own' } })
    expect((error as BatchError).failures).toMatchObject([{ index: 1, object: undefined, method: undefined }])
  })

  it('has a thenable of the program begin its work once, also where a call fails', async () => {
    const { mine } = clients
    const text = mine.getBucket('batch:text')
    await text.set('no number')
    const [fine, failing] = [lazyThenable(() => 'own'), lazyThenable(() => 'own')]
    await mine.batch((batch) => [batch.getAtomicLong('batch:a').get(), fine])
    const error = await failureOf(
      mine.batch((batch) => [batch.getAtomicLong('batch:text').incrementAndGet(), failing]),
    )
    expect((error as BatchError).results).toMatchObject([{ status: 'rejected' }, { value: 'own' }])
    expect([fine, failing].map(({ reads, runs }) => [reads, runs])).toEqual([
      [1, 1],
      [1, 1],
    ])
    await text.delete()
  })

  it('may have run where only a promise of the program was rejected', async () => {
    const { mine } = clients
    const error = await failureOf(
      mine.batch((batch) => [
        batch
          .getAtomicLong('batch:a')
          .incrementAndGet()
          .then(() => Promise.reject(new Error('own'))),
      ]),
    )
    expect(error).toMatchObject({
      message: 'A promise was rejected that the function of the batch returned, and no call',
      mayHaveRun: true,
      cause: { message: 'own' },
    })
    expect(await mine.getAtomicLong('batch:a').get()).toBe(1)
  })

  it('has none of the calls that are made when its own have settled', async () => {
    const { mine } = clients
    const refused: unknown[] = []
    const results = await mine.batch((batch) => {
      const number = batch.getAtomicLong('batch:a')
      const one = number.incrementAndGet()
      void one.then(() => batch.getBitSet('batch:b').setAll([]))
      void one.then(() => number.incrementAndGet()).catch((error: unknown) => refused.push(error))
      return [one]
    })
    expect(results).toEqual([1])
    await setImmediate()
    expect(refused).toMatchObject([{ code: 'NOT_IN_BATCH' }])
    expect(await mine.getAtomicLong('batch:a').get()).toBe(1)
  })

  it('needs no results', async () => {
    const { mine } = clients
    await mine.batch(
      (batch) => {
        void batch.getAtomicLong('batch:a').incrementAndGet()
      },
      { skipResult: true },
    )
    expect(await mine.getAtomicLong('batch:a').get()).toBe(1)
    await mine.getBucket('batch:b').set('text')
    const failed = mine.batch(
      (batch) => {
        void batch.getAtomicLong('batch:b').incrementAndGet()
      },
      { skipResult: true },
    )
    await expect(failed).rejects.toMatchObject({ code: 'BATCH', cause: { code: 'WRONG_TYPE' } })
  })

  describe('sends nothing', () => {
    const wrong: Readonly<Record<string, [(batch: RBatch) => unknown, object]>> = {
      'where a walk is part of it': [(batch) => [batch.getMap('batch:map').keys()], { code: 'NOT_IN_BATCH' }],
      'where a walk through a list is part of it': [
        (batch) => [batch.getList('batch:list').values()],
        { code: 'NOT_IN_BATCH' },
      ],
      'where a scored sorted set is waited for': [
        (batch) => [batch.getScoredSortedSet('batch:scored').takeFirst()],
        { code: 'NOT_IN_BATCH' },
      ],
      'where a search is part of it': [
        (batch) => [batch.getMap('batch:map').containsValue(1)],
        { code: 'NOT_IN_BATCH' },
      ],
      'where a map gets too many entries': [
        (batch) => [
          batch
            .getMap('batch:map')
            .putAll(Array.from({ length: 5_001 }, (_, at) => [String(at), at] as const)),
        ],
        { code: 'NOT_IN_BATCH' },
      ],
      'where an id is part of it': [
        (batch) => [batch.getIdGenerator('batch:ids').nextId()],
        { code: 'NOT_IN_BATCH', message: 'nextId() cannot be part of a batch' },
      ],
      'where a computation is part of it': [
        (batch) => [batch.getMap('batch:map').compute('a', () => 1)],
        { code: 'NOT_IN_BATCH', message: 'compute() cannot be part of a batch' },
      ],
      'where a computation of an absent value is part of it': [
        (batch) => [batch.getMap('batch:map').computeIfAbsent('a', () => 1)],
        { code: 'NOT_IN_BATCH' },
      ],
      'where a computation of a present value is part of it': [
        (batch) => [batch.getMap('batch:map').computeIfPresent('a', () => 1)],
        { code: 'NOT_IN_BATCH' },
      ],
      'where the lock of an entry is part of it': [
        (batch) => [batch.getMap('batch:map').getLock('a').lock()],
        { code: 'NOT_IN_BATCH', message: 'getLock() cannot be part of a batch' },
      ],
      'where a synchronizer of an entry is part of it': [
        (batch) => [batch.getMap('batch:map').getSemaphore('a').release()],
        { code: 'NOT_IN_BATCH', message: 'getSemaphore() cannot be part of a batch' },
      ],
      'where a listener is part of it': [
        (batch) => [
          (batch.getTopic('batch:topic') as never as { addListener(fn: () => void): unknown }).addListener(
            () => undefined,
          ),
        ],
        { code: 'NOT_IN_BATCH', message: 'addListener() cannot be part of a batch' },
      ],
      'where a listener of a reliable topic is part of it': [
        (batch) => [batch.getReliableTopic('batch:topic').addListener(() => undefined)],
        { code: 'NOT_IN_BATCH', message: 'addListener() cannot be part of a batch' },
      ],
      'where a delivery of a reliable queue is part of it': [
        (batch) => [batch.getReliableQueue('batch:queue').poll()],
        { code: 'NOT_IN_BATCH', message: 'poll() cannot be part of a batch' },
      ],
      'where a consumer of a stream is part of it': [
        (batch) => [batch.getStream('batch:stream').consumer('g')],
        { code: 'NOT_IN_BATCH', message: 'consumer() cannot be part of a batch' },
      ],
      'where a lock is part of it': [
        (batch) => [(batch as never as { getLock(name: string): unknown }).getLock('batch:lock')],
        { code: 'NOT_IN_BATCH', message: 'getLock() cannot be part of a batch' },
      ],
      'where an argument is wrong': [
        (batch) => [batch.getBucket('batch:b').set(undefined)],
        { name: 'TypeError' },
      ],
      'where a value cannot be written': [
        (batch) => [batch.getBucket('batch:b').set(() => 1)],
        { code: 'CODEC' },
      ],
      'where its function throws': [
        () => {
          throw new Error('no')
        },
        { message: 'no' },
      ],
      'where its function is asynchronous': [
        async (batch) => [await batch.getBucket('batch:b').get()],
        { name: 'TypeError', message: expect.stringContaining('not to be async') as unknown },
      ],
      'where its function returns no list': [() => 7, { name: 'TypeError' }],
      'where its function returns nothing': [() => undefined, { name: 'TypeError' }],
    }

    it.each(Object.entries(wrong))('%s', async (_, [fn, expected]) => {
      const { mine } = clients
      const refused = mine.batch((batch) => {
        void batch.getAtomicLong('batch:a').incrementAndGet()
        return fn(batch) as never
      })
      await expect(refused).rejects.toMatchObject(expected)
      expect(await mine.getAtomicLong('batch:a').get()).toBe(0)
    })

    it.each([
      [{ mode: 'fast' }, RangeError],
      [{ syncedReplicas: -1 }, RangeError],
      [{ responseTimeoutMs: 0 }, RangeError],
      [{ responseTimeoutMs: Infinity }, RangeError],
      [{ exactlyOnce: 1 }, TypeError],
      [{ skipResult: 'yes' }, TypeError],
      [{ retries: 1 }, TypeError],
    ])('with %j', async (options, type) => {
      await expect(clients.mine.batch(() => [], options as never)).rejects.toBeInstanceOf(type)
    })
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['returns no list', () => 7],
    ['is asynchronous', () => Promise.resolve([])],
  ])('leaves no call open where its function %s', async (_, end) => {
    const { mine } = clients
    let objects: RBatch | undefined
    let call: Promise<number> | undefined
    const refused = mine.batch((batch) => {
      objects = batch
      call = batch.getAtomicLong('batch:a').incrementAndGet()
      return end() as never
    })
    const failure = await failureOf(refused)
    expect(failure).toBeInstanceOf(Error)
    await expect(call).rejects.toBe(failure)
    await expect(objects?.getAtomicLong('batch:a').incrementAndGet()).rejects.toMatchObject({
      code: 'NOT_IN_BATCH',
    })
  })

  it('refuses calls that come later', async () => {
    const { mine } = clients
    let late: RBatch | undefined
    await mine.batch((batch) => {
      late = batch
      return []
    })
    await expect(late?.getAtomicLong('batch:a').incrementAndGet()).rejects.toMatchObject({
      code: 'NOT_IN_BATCH',
    })
    expect(await mine.getAtomicLong('batch:a').get()).toBe(0)
  })

  it('reads all of an object only where that is one request', async () => {
    const { mine } = clients
    const map = mine.getMap<string, number>('batch:map')
    await map.putAll({ a: 1, b: 2 })
    const [read] = await mine.batch((batch) => [batch.getMap('batch:map').readAllMap()])
    expect(read.size).toBe(2)
    await map.putAll(Array.from({ length: 6_000 }, (_, at) => [String(at), at] as const))
    const refused = mine.batch((batch) => [
      batch.getMap('batch:map').readAllMap(),
      batch.getAtomicLong('batch:a').incrementAndGet(),
    ])
    await expect(refused).rejects.toMatchObject({ code: 'BATCH', cause: { code: 'NOT_IN_BATCH' } })
    expect(await mine.getAtomicLong('batch:a').getAndDelete()).toBe(1) // it was known only when the batch had run
  })

  it('runs as one step', async () => {
    const { mine, other } = clients
    const seen = new Set<number>()
    const watching = new AbortController()
    const watch = (async () => {
      while (!watching.signal.aborted) seen.add((await other.getAtomicLong('{batch}1').get()) % 50)
    })()
    try {
      for (let round = 0; round < 20; round += 1) {
        const counted = await mine.batch(
          (batch) => Array.from({ length: 50 }, () => batch.getAtomicLong('{batch}1').incrementAndGet()),
          { mode: 'atomic' },
        )
        expect(counted.at(-1)).toBe((round + 1) * 50)
      }
    } finally {
      watching.abort()
      await watch
    }
    expect([...seen]).toEqual([0])
  })

  it.each(['pipeline', 'atomic'] as const)('reads replies of pairs (%s)', async (mode) => {
    const { mine } = clients
    await mine.getMap('{batch}1').put('key', 'value')
    const entries: [string, number][] = [
      ['one', 1],
      ['two', 2],
      ['three', 3],
    ]
    await mine.getScoredSortedSet<string>('{batch}2').addAll(Object.fromEntries(entries))
    const results = await mine.batch(
      (batch) => {
        const scored = batch.getScoredSortedSet<string>('{batch}2')
        return [
          batch.getMap('{batch}1').randomEntries(2),
          batch.getMap('{batch}1').readAllEntrySet(),
          scored.entryRange(0, -1),
          scored.firstEntry(),
          scored.pollFirst(),
          scored.pollLastEntries(1),
          scored.readAllEntries(),
        ]
      },
      { mode },
    )
    expect(results).toEqual([
      new Map([['key', 'value']]),
      [['key', 'value']],
      entries,
      ['one', 1],
      'one',
      [['three', 3]],
      [['two', 2]],
    ])
  })

  it('runs scripts in a step that no server knows yet', async () => {
    const { mine } = clients
    for (const node of topology.nodes) await node.command('SCRIPT', 'FLUSH')
    const results = await mine.batch(
      (batch) => {
        const bucket = batch.getBucket('{batch}1')
        return [
          bucket.set(1),
          bucket.compareAndSet(1, 2),
          bucket.compareAndSet(1, 3),
          batch.getBucket('{batch}2').compareAndSet(1, 2),
          bucket.get(),
          bucket.delete(),
        ]
      },
      { mode: 'atomic', exactlyOnce: true },
    )
    expect(results).toEqual([undefined, true, false, false, 2, true])
  })

  it('keeps the rest of a step of which one call fails', async () => {
    const { mine } = clients
    const key = '{batch}1'
    const error = await failureOf(
      mine.batch(
        (batch) => [
          batch.getAtomicLong(key).incrementAndGet(),
          batch.getMap(key).addAndGet('k', 1),
          batch.getAtomicLong(key).get(),
        ],
        { mode: 'atomic' },
      ),
    )
    // A value of another kind is found only while the step runs.
    expect((error as BatchError).results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await askOwner(topology, key, 'GET')).toBe('1')
  })

  it.runIf(topology.kind === 'cluster')('runs as one step in one slot only', async () => {
    const { mine } = clients
    const error = await failureOf(
      mine.batch((batch) => names.map((name) => batch.getAtomicLong(name).incrementAndGet()), {
        mode: 'atomic',
      }),
    )
    expect(isRedissonError(error, 'CROSS_SLOT')).toBe(true)
    for (const name of names) expect(await mine.getAtomicLong(name).get()).toBe(0)
  })

  it.runIf(topology.kind === 'sentinel').each(['pipeline', 'atomic'] as const)(
    'has replicas confirm it (%s)',
    async (mode) => {
      await using patient = await Redisson.create({ ...topology.options(), slavesSyncTimeout: 10_000 })
      const counted = await patient.batch(
        (batch) => [
          batch.getAtomicLong('{batch}1').incrementAndGet(),
          batch.getAtomicLong('{batch}2').incrementAndGet(),
        ],
        { mode, syncedReplicas: 1 },
      )
      expect(counted).toEqual([1, 1])
    },
  )

  it.each(['pipeline', 'atomic'] as const)(
    'says that too few replicas have confirmed it (%s)',
    async (mode) => {
      const { mine } = clients
      const error = await failureOf(
        mine.batch((batch) => [batch.getAtomicLong('{batch}1').incrementAndGet()], {
          mode,
          syncedReplicas: 9,
        }),
      )
      expect(error).toMatchObject({
        code: 'BATCH',
        message: 'Too few replicas have confirmed the 1 calls of the batch',
        mayHaveRun: true,
        cause: { code: 'NOT_REPLICATED', expected: 9 },
      })
      expect((error as BatchError).results).toEqual([{ status: 'fulfilled', value: 1 }])
    },
  )

  it.each(['pipeline', 'atomic'] as const)('waits as long as it shall for replies (%s)', async (mode) => {
    const { mine } = clients
    const counted = await mine.batch((batch) => [batch.getAtomicLong('{batch}1').incrementAndGet()], {
      mode,
      responseTimeoutMs: 20_000,
    })
    expect(counted).toEqual([1])
  })
})
