import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  BatchError,
  Redisson,
  stringCodec,
  type BatchOptions as AllOptions,
  type RBatch,
  type RedissonClient,
} from '../../../src/index.js'
import { faultsFor, strike } from '../../support/faults.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { randomNumbers } from '../../support/random.js'
import { slottedTopologies } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 60, reconnectionDelay: 10, retryAttempts: 20 }
const FAULTS = faultsFor(TIMEOUT_MS)
const BATCHES = 12
const SEED = 20_261_123

type BatchOptions = Omit<AllOptions, 'skipResult'>

/** What is in Redis: numbers of counters, values of buckets, by name. */
type Model = Map<string, number>

/** One call of a batch, and what it does to the model. */
interface Move {
  readonly name: string
  /** What it adds to a counter; undefined for a bucket. */
  readonly delta?: number
  readonly call: (batch: RBatch) => Promise<unknown>
  readonly model: (model: Model) => unknown
  /** Whether it only reads, so that it may be lost where everything else takes effect. */
  readonly reads?: boolean
}

const modes: readonly BatchOptions[] = [
  {},
  { exactlyOnce: true },
  { mode: 'atomic', exactlyOnce: true, responseTimeoutMs: TIMEOUT_MS + 50 },
  { mode: 'atomic', responseTimeoutMs: TIMEOUT_MS + 50 },
]

describe.each(slottedTopologies)('batches at random, whose messages are lost ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create({ ...door.options(SETTINGS) })
    straight = await Redisson.create(topology.options())
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it.each(modes)('have the effects that their results say, as %j', { timeout: 60_000 }, async (options) => {
    const random = randomNumbers(SEED)
    const upTo = (count: number) => Math.floor(random() * count)
    for (let round = 0; round < BATCHES; round += 1) {
      const names = namesOf(`${options.mode ?? 'pipeline'}${String(round)}`, options)
      const moves = Array.from({ length: 1 + upTo(40) }, () => moveOf(names, upTo))
      const fault = FAULTS[upTo(FAULTS.length + 2)]
      if (fault !== undefined) strike(door.proxies, moves[upTo(moves.length)]?.name ?? '', fault)
      const outcome = await client
        .batch((batch) => moves.map(({ call }) => call(batch)), options)
        .catch((error: unknown) => error)
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      const found = await look(names)
      if (outcome instanceof BatchError && options.exactlyOnce === true)
        checkReads(moves, outcome, { found, names })
      else if (outcome instanceof BatchError) checkLoss(moves, outcome, found, options)
      else checkResults(moves, outcome as readonly unknown[], { found, names })
      for (const name of names) await straight.getAtomicLong(name).delete()
    }
  })

  it('leaves no rejection unheard of a call that fails long before the batch is over', async () => {
    const [unreadable, late] = ['losses-unreadable', 'losses-late']
    await using patient = await Redisson.create(door.options())
    await straight.getBucket(unreadable, { codec: stringCodec() }).set('no JSON')
    const unheard: unknown[] = []
    const hear = (reason: unknown) => unheard.push(reason)
    process.on('unhandledRejection', hear)
    strike(door.proxies, late, ['is late', 'reply', () => sleep(TIMEOUT_MS / 2)])
    const outcome: unknown = await patient
      .batch((batch) => [batch.getBucket(unreadable).get(), batch.getAtomicLong(late).incrementAndGet()])
      .catch((error: unknown) => error)
    await sleep(10)
    process.off('unhandledRejection', hear)
    expect(outcome).toMatchObject({ code: 'BATCH', failures: [{ index: 0, error: { code: 'CODEC' } }] })
    expect((outcome as BatchError).results[1]).toEqual({ status: 'fulfilled', value: 1 })
    expect(unheard).toEqual([])
    await straight.getBucket(unreadable).delete()
    await straight.getAtomicLong(late).delete()
  })

  const look = (names: readonly string[]) =>
    Promise.all(names.map((name) => straight.getAtomicLong(name).get()))
})

/** Counters, and then buckets: in several slots where the mode allows that. */
function namesOf(tag: string, { mode }: BatchOptions): readonly string[] {
  return ['c0', 'c1', 'c2', 'b0', 'b1', 'b2'].map((end) =>
    mode === 'atomic' ? `{losses-${tag}}${end}` : `losses-${tag}-${end}`,
  )
}

function moveOf(names: readonly string[], upTo: (count: number) => number): Move {
  const at = upTo(names.length)
  const name = names[at] ?? ''
  return at < 3 ? moveOfCounter(name, 1 + upTo(9)) : moveOfBucket(name, upTo(3), [1 + upTo(3), 1 + upTo(3)])
}

function moveOfCounter(name: string, delta: number): Move {
  return {
    name,
    delta,
    call: (batch) => batch.getAtomicLong(name).addAndGet(delta),
    model: (model) => {
      const sum = (model.get(name) ?? 0) + delta
      model.set(name, sum)
      return sum
    },
  }
}

/** A write, a read, or a script. */
function moveOfBucket(name: string, kind: number, [value, expected]: readonly [number, number]): Move {
  if (kind === 0)
    return {
      name,
      call: (batch) => batch.getBucket(name).set(value),
      model: (model) => void model.set(name, value),
    }
  if (kind === 1)
    return {
      name,
      reads: true,
      call: (batch) => batch.getBucket(name).get(),
      model: (model) => model.get(name),
    }
  return {
    name,
    call: (batch) => batch.getBucket(name).compareAndSet(expected, value),
    model: (model) => {
      const isSet = model.get(name) === expected
      if (isSet) model.set(name, value)
      return isSet
    },
  }
}

interface Found {
  readonly found: readonly number[]
  readonly names: readonly string[]
}

/** Each result is that of the model, which has what was found in the end. */
function checkResults(moves: readonly Move[], results: readonly unknown[], { found, names }: Found): void {
  const model: Model = new Map()
  const expected = moves.map((move) => move.model(model))
  expect(results).toEqual(expected)
  expect(found).toEqual(names.map((name) => model.get(name) ?? 0))
}

/** Only reads may fail that may have been overtaken by what came after them. */
function checkReads(moves: readonly Move[], error: BatchError, { found, names }: Found): void {
  const model: Model = new Map()
  const expected = moves.map((move) => move.model(model))
  for (const [index, result] of error.results.entries()) {
    if (result.status === 'fulfilled') expect(result.value).toEqual(expected[index])
    else expect(moves[index]?.reads).toBe(true)
  }
  expect(found).toEqual(names.map((name) => model.get(name) ?? 0))
}

/** Only what would count twice may fail, and may have run. What has a result has run once. */
function checkLoss(
  moves: readonly Move[],
  error: BatchError,
  found: readonly number[],
  options: BatchOptions,
): void {
  expect(error.results).toHaveLength(moves.length)
  for (const failure of error.failures) expect(failure.error).toMatchObject({ mayHaveRun: true })
  const counters = [...new Set(moves.map(({ name }) => name))].filter((name) => /c\d$/.test(name)).sort()
  for (const counter of counters) {
    let possible = new Set([0])
    for (const [index, { name, delta = 0 }] of moves.entries()) {
      if (name !== counter) continue
      const result = error.results[index]
      const after = [...possible].map((sum) => sum + delta)
      if (result?.status === 'fulfilled') possible = new Set(after.filter((sum) => sum === result.value))
      else possible = new Set([...possible, ...after])
    }
    const at = Number(/c(\d)$/.exec(counter)?.[1])
    expect([...possible]).toContain(found[at])
  }
  if (options.mode === 'atomic') checkStep(moves, error, found)
}

/** All of a step has run, or nothing. */
function checkStep(moves: readonly Move[], error: BatchError, found: readonly number[]): void {
  const isRead = ({ index = 0 }: { index: number | undefined }) => moves[index]?.reads === true
  if (!error.failures.every(isRead)) expect(error.failures).toHaveLength(moves.length)
  const model: Model = new Map()
  for (const move of moves) move.model(model)
  const all = ['c0', 'c1', 'c2', 'b0', 'b1', 'b2'].map(
    (end) => [...model].find(([name]) => name.endsWith(end))?.[1] ?? 0,
  )
  expect([all.map(() => 0), all]).toContainEqual(found)
}
