import { CommandError, syntaxError } from '../command-error.js'
import { demandCount, demandDouble, doubleText } from '../numbers.js'
import type { Bytes, Reply } from '../reply.js'
import { SortedSet } from '../sorted-set.js'
import { command, word, type Command, type Context } from './command.js'
import { readOptions } from './options.js'

/** The scores of the members of one source, multiplied by its weight. An infinity times 0 is none (NaN). */
type Weighted = ReadonlyMap<Bytes, number>

type Aggregate = (one: number, other: number) => number

/** Makes one set of several. */
type Combine = (sources: readonly Weighted[], aggregate: Aggregate) => SortedSet

export const sortedSetAlgebra: readonly Command[] = [
  command('zunionstore', -4, 'grow', (context, args) => store(context, args, 'zunionstore', union)),
  command('zinterstore', -4, 'grow', (context, args) => store(context, args, 'zinterstore', intersection)),
  command('zdiffstore', -4, 'grow', (context, args) => store(context, args, 'zdiffstore', difference)),
  command('zunion', -3, 'read', (context, args) => read(context, args, 'zunion', union)),
  command('zinter', -3, 'read', (context, args) => read(context, args, 'zinter', intersection)),
  command('zdiff', -3, 'read', (context, args) => read(context, args, 'zdiff', difference)),
  command('zintercard', -3, 'read', (context, args) => {
    const { sources, options } = sourcesIn(context, args, 'zintercard')
    let limit = 0
    readOptions(options, { LIMIT: (next) => (limit = demandCount(next())) })
    if (limit < 0) throw new CommandError("ERR LIMIT can't be negative")
    const { size } = intersection(sources, add)
    return limit === 0 ? size : Math.min(limit, size)
  }),
]

/** Stores a set under a key; an empty one removes it. Returns its size. */
export function storeSet({ database, notify }: Context, key: Bytes, event: Bytes, set: SortedSet): Reply {
  if (set.size === 0) {
    if (database.remove(key)) notify('g', 'del', key)
    return 0
  }
  database.put(key, { type: 'zset', value: withoutSignedZeros(set) })
  notify('z', event, key)
  return set.size
}

/** Redis keeps the scores of small sets as integers where they are some. */
function withoutSignedZeros(set: SortedSet): SortedSet {
  return setOf(set.ranked.map(({ member, score }) => [member, score + 0]))
}

function store(context: Context, args: readonly Bytes[], event: Bytes, combine: Combine): Reply {
  const { set } = combinedOf(context, args.slice(1), event, combine)
  return storeSet(context, word(args, 0), event, set)
}

function read(context: Context, args: readonly Bytes[], name: Bytes, combine: Combine): Reply {
  const { set, withScores } = combinedOf(context, args, name, combine)
  return set.ranked.flatMap(({ member, score }) => (withScores ? [member, doubleText(score)] : [member]))
}

function combinedOf(context: Context, args: readonly Bytes[], name: Bytes, combine: Combine) {
  const { sources, options } = sourcesIn(context, args, name)
  let weights = sources.map(() => 1)
  let aggregate: Aggregate = add
  let withScores = false
  readOptions(options, {
    ...(name.startsWith('zdiff')
      ? {}
      : {
          WEIGHTS: (next: () => Bytes) =>
            (weights = sources.map(() => demandDouble(next(), 'ERR weight value is not a float'))),
          AGGREGATE: (next: () => Bytes) => (aggregate = aggregateOf(next())),
        }),
    ...(name.endsWith('store') ? {} : { WITHSCORES: () => (withScores = true) }),
  })
  const weighted = sources.map(
    (source, n) => new Map([...source].map(([member, score]) => [member, score * (weights[n] ?? 1)])),
  )
  return { set: combine(weighted, aggregate), withScores }
}

function sourcesIn({ database }: Context, args: readonly Bytes[], name: Bytes) {
  const count = demandCount(word(args, 0))
  if (count < 1) throw new CommandError(`ERR at least 1 input key is needed for '${name}' command`)
  const keys = args.slice(1, 1 + count)
  if (keys.length < count) throw syntaxError()
  const sources = keys.map((key): Weighted => {
    const entry = database.use(key)
    if (entry?.type === 'set') return new Map([...(entry.value as Set<Bytes>)].map((member) => [member, 1]))
    const ranked = database.read(key, 'zset')?.ranked ?? []
    return new Map(ranked.map(({ member, score }) => [member, score]))
  })
  return { sources, options: args.slice(1 + count) }
}

function aggregateOf(name: Bytes): Aggregate {
  const aggregate = { SUM: add, MIN: least, MAX: most }[name.toUpperCase()]
  if (aggregate === undefined) throw syntaxError()
  return aggregate
}

/** The sum of both infinities is 0 here. */
function add(one: number, other: number): number {
  return numberOf(one + other)
}

/** What is no number is not less than any. */
function least(one: number, other: number): number {
  return other < one ? other : one
}

function most(one: number, other: number): number {
  return other > one ? other : one
}

function numberOf(value: number): number {
  return Number.isNaN(value) ? 0 : value
}

function union(sources: readonly Weighted[], aggregate: Aggregate): SortedSet {
  const scores = new Map<Bytes, number>()
  for (const source of bySize(sources))
    for (const [member, weighted] of source) {
      const [before, score] = [scores.get(member), numberOf(weighted)]
      scores.set(member, before === undefined ? score : aggregate(before, score))
    }
  return setOf(scores)
}

/** What is no number counts as 0 in the first source, and is aggregated in the others. */
function intersection(sources: readonly Weighted[], aggregate: Aggregate): SortedSet {
  const [first = new Map<Bytes, number>(), ...others] = bySize(sources)
  const common = [...first].filter(([member]) => others.every((other) => other.has(member)))
  return setOf(
    common.map(([member, score]) => [
      member,
      others.reduce((sum, other) => aggregate(sum, other.get(member) ?? 0), numberOf(score)),
    ]),
  )
}

function difference([first = new Map<Bytes, number>(), ...others]: readonly Weighted[]): SortedSet {
  return setOf([...first].filter(([member]) => !others.some((other) => other.has(member))))
}

/** Redis begins with the smallest one. */
function bySize(sources: readonly Weighted[]): readonly Weighted[] {
  return sources.toSorted((one, other) => one.size - other.size)
}

function setOf(scores: Iterable<readonly [Bytes, number]>): SortedSet {
  const set = new SortedSet()
  for (const [member, score] of scores) set.set(member, score)
  return set
}
