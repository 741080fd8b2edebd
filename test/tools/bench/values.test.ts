import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Cell } from '../../../bench/cell.js'
import type { Contender, NodeContender } from '../../../bench/contenders/contender.js'
import { ioredisson } from '../../../bench/contenders/ioredisson.js'
import { plainIoredis } from '../../../bench/contenders/plain-ioredis.js'
import { BATCH } from '../../../bench/client/tasks/plans.js'
import { ITEM } from '../../../bench/contenders/values.js'
import { runCell } from '../../../bench/measure-workload.js'
import { QUICK, type Sizes } from '../../../bench/sizes.js'
import type { Outcome, Result } from '../../../bench/outcome.js'
import { takeTurns } from '../../../bench/take-turns.js'
import { call } from '../../../bench/client/tasks/call.js'
import { publish } from '../../../bench/client/tasks/publish.js'
import type { Stand } from '../../../bench/client/tasks/stand.js'
import { iteration } from '../../../bench/workloads/iteration.js'
import {
  batch,
  blockingQueue,
  bloomFilter,
  bucket,
  cache,
  counter,
  list,
  manyValues,
  map,
  reliableQueue,
  set,
  sortedSet,
  stream,
  topic,
} from '../../../bench/workloads/values.js'
import type { Measurement, Workload } from '../../../bench/workloads/workload.js'
import { leftToDeep } from '../../support/left-to-deep.js'
import { single } from '../../support/topologies.js'

const ownName = new URL('../../support/own-name.ts', import.meta.url)

/** Enough to count; times mean nothing here. */
const SMALL: Sizes = { ...QUICK, fields: 3_000, warmUpMs: 100, turnMs: 20, turns: 2 }

/** Those that stand for the others in the gate: one that counts its commands, one of many values, and the batch. */
const IN_GATE: readonly Workload[] = [bucket, manyValues, batch]

interface Row {
  readonly workload: Workload
  /** The commands of one call; undefined where there is no such number. */
  readonly each: number | undefined
}

describe('the benchmark of values', () => {
  beforeAll(() => {
    // The processes that it starts use the sources instead of what was built from them.
    vi.stubEnv('NODE_OPTIONS', `--no-warnings --import ${ownName.href}`)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
  })
  afterEach(() => Promise.all(single.nodes.map((node) => node.command('FLUSHALL'))))

  const rows: readonly Row[] = [
    ...[bucket, counter, map, list, set, sortedSet, bloomFilter].map((workload) => ({ workload, each: 1 })),
    ...[manyValues, iteration, topic, blockingQueue, reliableQueue, stream, cache].map((workload) => ({
      workload,
      each: undefined,
    })),
    { workload: batch, each: BATCH },
  ]

  for (const { workload, each } of rows)
    describe(workload.name, leftToDeep(!IN_GATE.includes(workload)), () => {
      it.each([plainIoredis, ioredisson])(
        'is measured on $name, loses nothing, and counts the commands',
        async (contender) => {
          const { figures, lost } = outcome(await runCell(workload, contender, single.nodes, SMALL))
          expect(lost).toBe(0)
          for (const { key } of workload.columns) expect(figures[key], key).toBeGreaterThan(0)
          if (each === undefined) return
          const commands = Object.entries(figures).filter(([key]) => key.endsWith(' commands'))
          expect(commands).toHaveLength(workload.columns.length)
          for (const [key, count] of commands) expect(count, key).toBe(each)
        },
      )
    })

  it('has both of a pair take turns, each first every second time', async () => {
    const asked: string[] = []
    await using one = await Cell.open(plainIoredis, single.nodes, SMALL)
    await using other = await Cell.open({ ...plainIoredis }, single.nodes, SMALL)
    const entrants = new Map<unknown, string>()
    const measurement: Measurement = {
      run: (client) => {
        entrants.set(client, entrants.get(client) ?? `entrant ${String(entrants.size)}`)
        asked.push(entrants.get(client) ?? '')
        return Promise.resolve({ figures: { asked: asked.length }, lost: 0, waitsMs: [] })
      },
    }
    const [ours, theirs] = await takeTurns([one, other], [measurement])
    const [a, b] = ['entrant 0', 'entrant 1']
    expect(asked).toEqual([a, b, a, b, b, a])
    expect(ours?.map(askedAs)).toEqual([3, 6])
    expect(theirs?.map(askedAs)).toEqual([4, 5])
  })

  it('goes on with one of a pair when the other fails', async () => {
    const doomed: Contender = { ...plainIoredis, name: 'a name that no contender has' }
    await using one = await Cell.open(doomed, single.nodes, SMALL)
    await using other = await Cell.open(plainIoredis, single.nodes, SMALL)
    const [theirs = [], ours = []] = await takeTurns([one, other], counter.measurements ?? [])
    expect(theirs).toHaveLength(SMALL.turns)
    expect(theirs[0]).toEqual({ failure: expect.stringContaining('RangeError') as string })
    for (const result of ours) expect(result).toMatchObject({ lost: 0 })
  })

  describe('notices', () => {
    const bound = { callers: 2, forMs: 20 }

    it('buckets that are not written', async () => {
      await using stand = await standWith(({ bucket }) => ({ bucket: { ...bucket, set: nothing } }))
      expect((await call(stand, { plan: 'bucket.set', ...bound })).wrong).toBeGreaterThan(0)
    })

    it('values that are not those that were written', async () => {
      const other = { ...ITEM, id: -1 }
      await using stand = await standWith(({ map }) => ({
        map: { ...map, get: () => Promise.resolve(other) },
      }))
      const { wrong, sections } = await call(stand, { plan: 'map.get', ...bound })
      expect(wrong).toBe(sections)
    })

    it('batches without replies', async () => {
      await using stand = await standWith(({ map }) => ({
        map: { ...map, putAndGetAll: () => Promise.resolve([]) },
      }))
      const { wrong, sections } = await call(stand, { plan: 'map.batch', ...bound })
      expect(wrong).toBe(sections)
    })

    it('increments without an effect', { tags: ['timed'] }, async () => {
      let calls = 0
      await using stand = await standWith(({ counter }) => ({
        counter: {
          ...counter,
          increment: (name) => ((calls += 1) === 3 ? Promise.resolve(1) : counter.increment(name)),
        },
      }))
      expect((await call(stand, { plan: 'counter.increment', ...bound })).wrong).toBe(1)
    })

    it('messages that arrive twice', async () => {
      await using stand = await standWith(({ topic }) => ({
        topic: {
          ...topic,
          listen: (name, listener) =>
            topic.listen(name, (item) => {
              listener(item)
              listener(item)
            }),
        },
      }))
      const { wrong, sections } = await publish(stand, { publishers: 2, forMs: 20 })
      expect(wrong).toBe(sections)
    })
  })
})

type AllValues = Required<NonNullable<Stand['session']['values']>>

/** A process's stand with plain ioredis, of which something is replaced. */
async function standWith(
  replace: (values: AllValues) => Partial<AllValues>,
): Promise<Stand & AsyncDisposable> {
  const session = await open(plainIoredis)
  const values = session.values as AllValues
  return {
    session: { ...session, values: { ...values, ...replace(values) } },
    redis: undefined as never, // which nothing here uses
    [Symbol.asyncDispose]: async () => {
      await session.close()
    },
  }
}

function open(contender: NodeContender): Promise<Stand['session']> {
  const servers = single.nodes.map(({ host, port }) => ({ host, port }))
  return contender.open(servers, { leaseMs: SMALL.leaseMs })
}

function nothing(): Promise<void> {
  return Promise.resolve()
}

function askedAs(result: Result): number | undefined {
  return outcome(result).figures['asked']
}

function outcome(result: Result): Outcome {
  if ('failure' in result) throw new Error(result.failure)
  return result
}
