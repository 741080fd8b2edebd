import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { lazyThenable, type LazyThenable } from '../support/lazy-thenable.js'
import { single } from '../support/topologies.js'
import { listeners } from './listeners.js'
import { subjects } from './subjects.js'
import { fn } from './takes.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** A function of the program that returns a thenable. */
type Lazy = () => LazyThenable<number>

/** Has a function called. */
type Run = (client: RedissonClient, lazy: Lazy) => Promise<unknown>

const NAME = 'thenables'

/** What makes the method call its function. */
const needs: Readonly<Record<string, (object: Untyped) => unknown>> = {
  computeIfPresent: (map) => map['put']?.('a', 1),
  merge: (map) => map['put']?.('a', 1),
  withPermit: (semaphore) => semaphore['trySetPermits']?.(1),
}

/** Options without which a call would not settle. */
const options: Readonly<Record<string, object>> = { leaderElection: { requeue: false } }

/** All calls that settle with what a function of the program has returned. */
const calls = Object.entries(subjects).flatMap(([kind, { make, free, methods }]) =>
  Object.entries(methods).flatMap(([method, { forms, refuses }]) => {
    const takes = forms.find((each) => each.includes(fn)) ?? []
    if (takes.length === 0 || refuses === 'by throwing' || method === 'addListener') return []
    const before = takes.slice(0, takes.indexOf(fn)).map(({ sound }) => sound)
    const run: Run = async (client, lazy) => {
      const object = (await make(client, NAME)) as Untyped
      await needs[method]?.(object)
      await object[method]?.(...before, lazy, options[kind])
      await free?.(client, NAME)
    }
    return [{ kind, method, run }]
  }),
)

/** The same of functions that are given earlier. */
const givenEarlier: readonly (readonly [what: string, run: Run])[] = [
  ['load() of a loader', (client, load) => client.getMap(NAME, { loader: { load } }).get('a')],
  [
    'write() of a writer',
    (client, write) => client.getMap(NAME, { writer: { write, delete: write } }).put('a', 1),
  ],
  ['wrap() of a cache', (client, lazy) => client.getCache(NAME).wrap(lazy, { key: () => 'a' })()],
  [
    'wrap() of a work limiter',
    (client, lazy) => client.getWorkLimiter(NAME, { concurrency: 1 }).wrap(lazy)(),
  ],
]

describe('a thenable whose then() begins the work', () => {
  const requests = new AsyncLocalStorage<string>()
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })
  afterEach(() => client.getKeys().flushdb())
  afterAll(() => client.shutdown())

  /** Demands that a thenable works once, as the thread of the function that returns it, and in the context of the caller. */
  const demandOneWork = async (run: Run) => {
    const probe = client.getLock(`${NAME}:probe`)
    const found: unknown[] = []
    const made: LazyThenable<number>[] = []
    const lazy = () => {
      const taking = probe.lock() // by the thread of the function
      const work = lazyThenable(async () => {
        const request = requests.getStore()
        await taking
        found.push([request, await probe.isHeldByCurrentThread()])
        await probe.forceUnlock()
        return 1
      })
      made.push(work)
      return work
    }
    await client.runAsThread(() => requests.run('request', async () => await run(client, lazy)))
    expect(found).toEqual([['request', true]])
    expect(made.map(({ reads, runs }) => [reads, runs])).toEqual([[1, 1]])
  }

  it('is tried with each kind of call that runs a function', () => {
    const methods = [
      ...['compute', 'computeIfAbsent', 'computeIfPresent', 'merge', 'getOrLoad'],
      ...['run', 'runAsThread', 'withLock', 'withPermit'],
    ]
    expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(methods))
    expect(calls.filter(({ method }) => method === 'withLock').length).toBeGreaterThan(8)
  })

  it.each(calls)('works once, as its function would: $method() of $kind', ({ run }) => demandOneWork(run))

  it.each(givenEarlier)('works once, as its function would: %s', (_, run) => demandOneWork(run))

  it.each(listeners)('works once for each call of a listener: %s', async (_, run) => {
    const made: LazyThenable<number>[] = []
    const works = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const listener = () => {
      const done = works[made.length]
      const work = lazyThenable(() => {
        done?.resolve()
        return 1
      })
      made.push(work)
      return work
    }
    await run({ client, name: NAME, listener, done: Promise.all(works.map(({ promise }) => promise)) })
    expect(made.map(({ reads, runs }) => [reads, runs])).toEqual([
      [1, 1],
      [1, 1],
    ])
  })
})
