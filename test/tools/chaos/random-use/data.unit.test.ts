import { describe, expect, it } from 'vitest'
import { checkData } from '../../../../chaos/random-use/check/data.js'
import type { AnswerEntry, CallArguments, Entry } from '../../../../chaos/history.js'
import { conditions, whatOf } from './conditions.js'

/** A call, from when to when, and what came of it; without an end it is not known. */
interface Told {
  readonly kind: string
  readonly method: string
  readonly time: readonly [from: number, to?: number]
  readonly args?: CallArguments
  readonly result?: unknown
  /** Whether it was rejected, and may have taken effect. */
  readonly mayHaveRun?: boolean
  readonly exactlyOnce?: boolean
  /** By which process, where several calls are made by one. */
  readonly process?: string
}

function breachesOf(...calls: readonly Told[]): string[] {
  const entries = calls.flatMap((told, n): Entry[] => {
    const id = String(n)
    const { kind, method, time, args = {}, exactlyOnce = true, process = `p${id}.0` } = told
    const call = { type: 'call', at: time[0], id, process, flow: 1, kind, name: 'it' } as const
    return [{ ...call, method, args, exactlyOnce }, ...answerOf(told, id)]
  })
  return whatOf(checkData(entries, conditions({ faulty: true }))).map((what) => what.replace(/:.*/, ''))
}

function answerOf({ time, result, mayHaveRun }: Told, id: string): AnswerEntry[] {
  const at = time[1]
  if (at === undefined) return []
  if (mayHaveRun === undefined) return [{ type: 'answer', at, id, outcome: 'ok', result }]
  return [{ type: 'answer', at, id, outcome: 'failed', error: 'CONNECTION_LOST', mayHaveRun }]
}

const adds = (time: Told['time'], facts: Partial<Told>): Told => ({
  kind: 'long',
  method: 'incrementAndGet',
  time,
  ...facts,
})
const counts = (time: Told['time'], result: number): Told => ({ kind: 'long', method: 'get', time, result })

describe('a number', () => {
  it.each([
    ['has what was confirmed', [adds([1, 2], { result: 1 }), counts([3, 4], 1)], []],
    ['may have what was not confirmed', [adds([1, 2], { mayHaveRun: true }), counts([3, 4], 1)], []],
    ['or lack it', [adds([1, 2], { mayHaveRun: true }), counts([3, 4], 0)], []],
    ['has not what was refused', [adds([1, 2], { mayHaveRun: false }), counts([3, 4], 1)], ['doubled']],
    ['has not lost what was confirmed', [adds([1, 2], { result: 1 }), counts([3, 4], 0)], ['lost']],
    ['may lack what is added meanwhile', [adds([1, 4], { result: 1 }), counts([2, 3], 0)], []],
    ['has nothing twice', [adds([1, 2], { result: 1 }), counts([3, 4], 2)], ['doubled']],
    ['is reached once', [adds([1, 3], { result: 1 }), adds([1, 3], { result: 1 })], ['twice']],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...calls)).toEqual(expected)
  })
})

const sets = (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
  kind: 'bucket',
  method: 'set',
  time,
  args: { values: [value] },
  ...facts,
})
const reads = (time: Told['time'], result?: string): Told => ({ kind: 'bucket', method: 'get', time, result })
const takes = (time: Told['time'], result?: string): Told => ({
  ...reads(time, result),
  method: 'getAndDelete',
})
const claims = (time: Told['time'], value: string): Told =>
  sets(time, value, { method: 'setIfAbsent', result: true })

describe('a value', () => {
  it.each([
    ['is one that was written', [reads([1, 2], 'a')], ['unknown']],
    [
      'is not one that was refused',
      [sets([1, 2], 'a', { mayHaveRun: false }), reads([3, 4], 'a')],
      ['unknown'],
    ],
    ['may be one that was not confirmed', [sets([1, 2], 'a', { mayHaveRun: true }), reads([3, 4], 'a')], []],
    ['is not older than the last one', [sets([1, 2], 'a'), sets([3, 4], 'b'), reads([5, 6], 'a')], ['stale']],
    ['may be either of two at once', [sets([1, 4], 'a'), sets([2, 3], 'b'), reads([5, 6], 'a')], []],
    ['is not lost', [sets([1, 2], 'a'), reads([3, 4])], ['lost']],
    ['is taken once', [sets([1, 2], 'a'), takes([3, 6], 'a'), takes([4, 6], 'a')], ['twice']],
    ['is set first by one caller', [claims([1, 3], 'a'), claims([1, 3], 'b')], ['twice']],
    [
      'may come back by a copy that is late',
      [sets([1, 2], 'a', { exactlyOnce: false }), sets([3, 4], 'b'), reads([5, 6], 'a')],
      [],
    ],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...calls)).toEqual(expected)
  })
})

const own = { process: 'p' }
const removesNear = (time: Told['time'], facts: Partial<Told> = {}): Told => ({
  kind: 'near',
  method: 'fastRemove',
  time,
  args: { key: 'a' },
  result: 1,
  ...facts,
})
const putsNear = (time: Told['time'], value: string): Told => ({
  kind: 'near',
  method: 'fastPut',
  time,
  args: { key: 'a', values: [value] },
})
const findsNear = (time: Told['time'], result: string, facts: Partial<Told> = {}): Told => ({
  kind: 'near',
  method: 'get',
  time,
  args: { key: 'a' },
  result,
  ...facts,
})

describe('a value that is kept by a map', () => {
  it.each([
    ['is one that was written', [findsNear([1, 2], 'x')], ['unknown']],
    [
      'may be old until a message comes',
      [putsNear([1, 2], 'x'), removesNear([3, 4]), findsNear([5, 6], 'x')],
      [],
    ],
    [
      'is not old for longer',
      [putsNear([1, 2], 'x'), removesNear([3, 4]), findsNear([9_000, 9_001], 'x')],
      ['stale'],
    ],
    [
      'is not older than what its own process has done',
      [putsNear([1, 2], 'x'), removesNear([3, 4], own), findsNear([5, 6], 'x', own)],
      ['stale'],
    ],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...calls)).toEqual(expected)
  })
})

const loads = (time: Told['time'], begunAt: number, facts: { readonly isAlone?: boolean } = {}): Told => ({
  kind: 'cache',
  method: 'getOrLoad',
  time,
  args: { key: 'a', values: ['x'] },
  result: { value: 'x', begunAt, ...facts },
})
const removesCached = (time: Told['time'], facts: Partial<Told> = {}): Told => ({
  kind: 'cache',
  method: 'delete',
  time,
  args: { key: 'a' },
  result: true,
  ...facts,
})
const findsCached = (time: Told['time'], result?: string, facts: Partial<Told> = {}): Told => ({
  kind: 'cache',
  method: 'get',
  time,
  args: { key: 'a' },
  result,
  ...facts,
})

describe('a value that was loaded', () => {
  it.each([
    ['is found', [loads([1, 4], 2), findsCached([5, 6], 'x')], []],
    ['may be gone', [loads([1, 4], 2), findsCached([5, 6])], []],
    ['was loaded', [findsCached([5, 6], 'x')], ['unknown']],
    [
      'is not found after it was removed, although it was loaded for longer',
      [loads([1, 9], 2), removesCached([3, 4]), findsCached([2_000, 2_001], 'x')],
      ['stale'],
    ],
    [
      'may be found where its load began during the removal',
      [loads([1, 9], 4), removesCached([3, 5]), findsCached([2_000, 2_001], 'x')],
      [],
    ],
    [
      'may be shared while Redis is down',
      [loads([1, 9], 2, { isAlone: true }), removesCached([3, 4]), findsCached([2_000, 2_001], 'x')],
      [],
    ],
    [
      'may be in the memory of another process for a moment',
      [loads([1, 4], 2), removesCached([5, 6]), findsCached([7, 8], 'x')],
      [],
    ],
    [
      'is not in that of the process that has removed it',
      [loads([1, 4], 2), removesCached([5, 6], own), findsCached([7, 8], 'x', own)],
      ['stale'],
    ],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...calls)).toEqual(expected)
  })
})

const pushes = (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
  kind: 'list',
  method: 'add',
  time,
  args: { values: [value] },
  result: true,
  ...facts,
})
const looks = (time: Told['time'], ...result: string[]): Told => ({
  kind: 'list',
  method: 'readAll',
  time,
  result,
})
const pops = (time: Told['time'], facts: Partial<Told>): Told => ({
  kind: 'list',
  method: 'removeAt',
  time,
  ...facts,
})

describe('elements', () => {
  const both = [pushes([1, 2], 'a'), pushes([3, 4], 'b')]
  it.each([
    ['are those that were added', [...both, looks([5, 6], 'a', 'b')], []],
    ['are not lost', [...both, looks([5, 6], 'a')], ['lost']],
    [
      'may have gone with a lost reply',
      [...both, pops([3, 4], { mayHaveRun: true }), looks([5, 6], 'b')],
      [],
    ],
    ['are there once', [...both, looks([5, 6], 'a', 'b', 'b')], ['doubled']],
    ['are not strange', [looks([5, 6], 'c')], ['unknown']],
    ['keep their order', [...both, looks([5, 6], 'b', 'a')], ['order']],
    ['go to one caller', [...both, pops([5, 7], { result: 'a' }), pops([5, 7], { result: 'a' })], ['twice']],
    ['do not come back', [...both, pops([5, 6], { result: 'a' }), looks([7, 8], 'a', 'b')], ['stale']],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...calls)).toEqual(expected)
  })
})

it('no id is handed out twice', () => {
  const takesId = (time: Told['time']): Told => ({ kind: 'ids', method: 'nextId', time, result: 1 })
  expect(breachesOf(takesId([1, 2]), takesId([3, 4]))).toEqual(['twice'])
})

it('every call returns', () => {
  expect(breachesOf(counts([1], 0))).toEqual(['unanswered'])
})

const offers = (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
  kind: 'messages',
  method: 'offer',
  time,
  args: { values: [value] },
  ...facts,
})
const polls = (time: Told['time'], ...result: string[]): Told => ({
  kind: 'messages',
  method: 'poll',
  time,
  result,
})
const acks = (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
  ...offers(time, value, facts),
  method: 'ack',
})
const found = (time: Told['time'], ...elements: string[]): Told => ({
  ...looks(time),
  kind: 'messages',
  result: { elements, records: elements.length },
})

describe('messages', () => {
  it.each([
    ['that were offered are there', [offers([1, 2], 'a'), found([3, 4], 'a')], []],
    ['that were confirmed are not lost', [offers([1, 2], 'a'), found([3, 4])], ['lost']],
    ['that were not confirmed may be lost', [offers([1, 2], 'a', { mayHaveRun: true }), found([3, 4])], []],
    ['are there once', [offers([1, 2], 'a'), found([3, 4], 'a', 'a')], ['doubled']],
    [
      'are at one of their places',
      [offers([1, 2], 'a'), { ...found([3, 4], 'a'), result: { elements: ['a'], records: 2 } }],
      ['wrong'],
    ],
    ['that are delivered were offered', [polls([1, 2], 'a')], ['unknown']],
    [
      'that were delivered only are there',
      [offers([1, 2], 'a'), polls([3, 4], 'a'), found([5, 6])],
      ['lost'],
    ],
    [
      'that were acknowledged are gone',
      [offers([1, 2], 'a'), acks([3, 4], 'a'), found([5, 6], 'a')],
      ['stale'],
    ],
    [
      'that were acknowledged do not come again',
      [offers([1, 2], 'a'), acks([3, 4], 'a'), polls([5, 6], 'a')],
      ['stale'],
    ],
    [
      'may come again if their acknowledgement was not confirmed',
      [offers([1, 2], 'a'), acks([3, 4], 'a', { mayHaveRun: true }), polls([5, 6], 'a')],
      [],
    ],
    [
      'that could not be acknowledged stay',
      [offers([1, 2], 'a'), acks([3, 4], 'a', { mayHaveRun: false }), found([5, 6])],
      ['lost'],
    ],
    ['are acknowledged once', [offers([1, 2], 'a'), acks([3, 6], 'a'), acks([4, 6], 'a')], ['twice']],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...calls)).toEqual(expected)
  })
})

const added = (kind: 'stream' | 'topic') => {
  const method = kind === 'stream' ? 'add' : 'publish'
  return (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
    ...{ kind, method, time },
    args: { values: [value] },
    ...facts,
  })
}
const left = (kind: 'stream' | 'topic') => {
  return (time: Told['time'], ...g1: string[]): Told => ({
    ...looks(time),
    kind,
    result: { g1, g2: ['a', 'b'] },
  })
}
const [addsMessage, leftInStream] = [added('stream'), left('stream')]
const bothAdded = [addsMessage([1, 2], 'a'), addsMessage([3, 4], 'b')]
const acknowledges = (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
  ...{ kind: 'stream', method: 'ack', time },
  args: { key: 'g1', values: [value] },
  ...facts,
})
const consumes = (time: Told['time'], ...result: string[]): Told => ({
  ...{ kind: 'stream', method: 'consume', time, result },
  args: { key: 'g1' },
})

describe('messages of a stream', () => {
  it.each([
    ['are there for each group', [leftInStream([5, 6], 'a', 'b')], []],
    ['are not lost', [leftInStream([5, 6], 'b')], ['lost']],
    ['are there once', [leftInStream([5, 6], 'a', 'b', 'b')], ['doubled']],
    ['are in their order', [leftInStream([5, 6], 'b', 'a')], ['order']],
    ['are those that were added', [consumes([5, 6], 'c')], ['unknown']],
    [
      'are lost for no group when another one acknowledges them',
      [acknowledges([5, 6], 'a', { args: { key: 'g2', values: ['a'] } }), leftInStream([7, 8], 'b')],
      ['lost', 'stale'],
    ],
    ['are gone once acknowledged', [acknowledges([5, 6], 'a'), leftInStream([7, 8], 'a', 'b')], ['stale']],
    [
      'stay if they could not be acknowledged',
      [acknowledges([5, 6], 'a', { mayHaveRun: false }), leftInStream([7, 8], 'b')],
      ['lost'],
    ],
    [
      'may be acknowledged by several consumers',
      [acknowledges([5, 6], 'a'), acknowledges([7, 8], 'a'), leftInStream([9, 10], 'b')],
      [],
    ],
    [
      'are handed out by no loop that began after they were acknowledged',
      [acknowledges([5, 6], 'a'), consumes([7, 8], 'a')],
      ['stale'],
    ],
    [
      'may be handed out by a loop that had them by then',
      [acknowledges([5, 6], 'a'), consumes([4, 8], 'a')],
      [],
    ],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...bothAdded, ...calls)).toEqual(expected)
  })
})

const [publishes, leftInTopic] = [added('topic'), left('topic')]
const bothPublished = [publishes([1, 2], 'a'), publishes([3, 4], 'b')]
const hears = (time: Told['time'], value: string, facts: Partial<Told> = {}): Told => ({
  ...{ kind: 'topic', method: 'listen', time },
  args: { key: 'g1', values: [value] },
  ...facts,
})

describe('messages of a topic', () => {
  it.each([
    ['are kept for a subscriber', [leftInTopic([5, 6], 'a', 'b')], []],
    ['are not lost', [leftInTopic([5, 6], 'b')], ['lost']],
    ['are those that were published', [hears([5, 6], 'c')], ['unknown']],
    ['may go after a listener has returned', [hears([5, 6], 'a'), leftInTopic([7, 8], 'b')], []],
    ['may come again after a listener has returned', [hears([5, 6], 'a'), hears([7, 8], 'a')], []],
    [
      'stay if their listener has failed',
      [hears([5, 6], 'a', { mayHaveRun: false }), leftInTopic([7, 8], 'b')],
      ['lost'],
    ],
    [
      'do not come again once they have gone',
      [hears([5, 6], 'a'), leftInTopic([7, 8], 'b'), hears([9, 10], 'a')],
      ['stale'],
    ],
    [
      'are not back once they have gone',
      [hears([5, 6], 'a'), leftInTopic([7, 8], 'b'), leftInTopic([9, 10], 'a', 'b')],
      ['stale'],
    ],
    ['come one after the other', [hears([5, 6], 'a'), hears([7, 8], 'b')], []],
    ['do not come before others', [hears([5, 6], 'b')], ['order']],
    [
      'do not come before one whose listener has failed',
      [hears([5, 6], 'a', { mayHaveRun: false }), hears([7, 8], 'b')],
      ['order'],
    ],
    [
      'may come in either order if they were published at once',
      [publishes([1, 4], 'c'), hears([5, 6], 'c'), hears([7, 8], 'a')],
      [],
    ],
  ])('%s', (_, calls, expected) => {
    expect(breachesOf(...bothPublished, ...calls)).toEqual(expected)
  })
})
