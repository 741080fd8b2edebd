import { CommandError, syntaxError } from '../command-error.js'
import { demandCount, demandDouble, doubleOf, doubleText } from '../numbers.js'
import { matches } from '../glob.js'
import { type Bytes, type Reply } from '../reply.js'
import { SortedSet, type Ranked, type ScoreRange } from '../sorted-set.js'
import { boundsOf } from './bounds.js'
import { command, pairsOf, word, type Command, type Context } from './command.js'
import { demandCursor } from './cursor.js'
import { readOptions } from './options.js'
import { storeSet } from './sorted-set-algebra.js'

export const sortedSets: readonly Command[] = [
  command('zadd', -4, 'grow', zadd),
  command('zrem', -3, 'write', (context, args) => removeAll(context, word(args, 0), args.slice(1), 'zrem')),
  command('zscore', 3, 'read', (context, args) => {
    return scoreText(sortedSetAt(context, args).scoreOf(word(args, 1)))
  }),
  command('zcard', 2, 'read', (context, args) => sortedSetAt(context, args).size),
  command('zcount', 4, 'read', (context, args) => {
    const range = rangeOf(word(args, 1), word(args, 2))
    return sortedSetAt(context, args).within(range).length
  }),
  command('zrank', 3, 'read', (context, args) => {
    const rank = sortedSetAt(context, args).ranked.findIndex(({ member }) => member === word(args, 1))
    return rank < 0 ? null : rank
  }),
  command('zrevrank', 3, 'read', (context, args) => {
    const { ranked } = sortedSetAt(context, args)
    const rank = ranked.findIndex(({ member }) => member === word(args, 1))
    return rank < 0 ? null : ranked.length - 1 - rank
  }),
  command('zmscore', -3, 'read', (context, args) => {
    const set = sortedSetAt(context, args)
    return args.slice(1).map((member) => scoreText(set.scoreOf(member)))
  }),
  command('zincrby', 4, 'grow', (context, args) => zadd(context, [word(args, 0), 'INCR', ...args.slice(1)])),
  command('zpopmin', -2, 'write', (context, args) => zpop(context, args, 'zpopmin')),
  command('zpopmax', -2, 'write', (context, args) => zpop(context, args, 'zpopmax')),
  command('zrandmember', -2, 'read', zrandmember),
  command('zscan', -3, 'read', zscan),
  command('zrange', -4, 'read', zrange),
  command('zrangestore', -5, 'grow', zrangestore),
  command('zrevrange', -4, 'read', (context, args) =>
    byRank(context, args, { isReversed: true, withScores: withScoresIn(args.slice(3)) }),
  ),
  command('zrangebyscore', -4, 'read', (context, args) => byScore(context, args, false)),
  command('zrevrangebyscore', -4, 'read', (context, args) => byScore(context, args, true)),
  command('zremrangebyscore', 4, 'write', (context, args) => {
    const range = rangeOf(word(args, 1), word(args, 2))
    const found = sortedSetAt(context, args).within(range)
    return removeAll(context, word(args, 0), membersOf(found), 'zremrangebyscore')
  }),
  command('zremrangebyrank', 4, 'write', (context, args) => {
    const set = sortedSetAt(context, args)
    const found = set.ranked.slice(...boundsOf(set.size, word(args, 1), word(args, 2)))
    return removeAll(context, word(args, 0), membersOf(found), 'zremrangebyrank')
  }),
]

const NONE = new SortedSet()

export function sortedSetAt({ database }: Context, args: readonly Bytes[]): SortedSet {
  return database.read(word(args, 0), 'zset') ?? NONE
}

const FLAGS = ['NX', 'XX', 'GT', 'LT', 'CH', 'INCR'] as const

type Flag = (typeof FLAGS)[number]

export function zadd({ database, notify }: Context, args: readonly Bytes[]): Reply {
  const key = word(args, 0)
  const flags = new Set<Flag>()
  let at = 1
  for (; at < args.length; at += 1) {
    const flag = FLAGS.find((each) => each === word(args, at).toUpperCase())
    if (flag === undefined) break
    flags.add(flag)
  }
  const words = args.slice(at)
  if (words.length === 0 || words.length % 2 === 1) throw syntaxError()
  demandCompatible(flags, words.length / 2)
  const pairs = pairsOf(words).map(([score, member]) => ({ score: demandDouble(score), member }))
  const present = database.read(key, 'zset')
  if (present === undefined && flags.has('XX')) return flags.has('INCR') ? null : 0

  const set = database.open(key, 'zset')
  let [added, updated, last] = [0, 0, null as number | null]
  for (const { score, member } of pairs) {
    const before = set.scoreOf(member)
    const next = flags.has('INCR') ? (before ?? 0) + score : score
    if (Number.isNaN(next)) throw new CommandError('ERR resulting score is not a number (NaN)')
    if (!permits(flags, before, next)) continue
    last = next
    if (before === undefined) added += 1
    else if (before !== next) updated += 1
    if (before !== next) set.set(member, next)
  }
  if (added + updated > 0) {
    database.touched(key)
    notify('z', flags.has('INCR') ? 'zincr' : 'zadd', key)
  }
  if (flags.has('INCR')) return last === null ? null : doubleText(last)
  return added + (flags.has('CH') ? updated : 0)
}

function demandCompatible(flags: ReadonlySet<Flag>, pairs: number): void {
  if (flags.has('NX') && flags.has('XX'))
    throw new CommandError('ERR XX and NX options at the same time are not compatible')
  if ((flags.has('GT') && flags.has('LT')) || (flags.has('NX') && (flags.has('GT') || flags.has('LT'))))
    throw new CommandError('ERR GT, LT, and/or NX options at the same time are not compatible')
  if (flags.has('INCR') && pairs > 1)
    throw new CommandError('ERR INCR option supports a single increment-element pair')
}

function permits(flags: ReadonlySet<Flag>, before: number | undefined, next: number): boolean {
  if (before === undefined) return !flags.has('XX')
  if (flags.has('NX')) return false
  if (flags.has('GT') && next <= before) return false
  return !(flags.has('LT') && next >= before)
}

export function removeAll(
  { database, notify }: Context,
  key: Bytes,
  members: readonly Bytes[],
  event: Bytes,
): Reply {
  const set = database.read(key, 'zset')
  const removed = members.filter((member) => set?.delete(member)).length
  if (removed > 0) {
    notify('z', event, key)
    if (database.touched(key)) notify('g', 'del', key)
  }
  return removed
}

export function membersOf(found: readonly Ranked[]): readonly Bytes[] {
  return found.map(({ member }) => member)
}

/** Reads limits such as `(5` or `-inf`. */
function rangeOf(min: Bytes, max: Bytes): ScoreRange {
  const limit = (text: Bytes): number => {
    const digits = text.replace(/^\(/, '').trimStart()
    const value = digits === '' ? 0 : doubleOf(digits) // C reads nothing as zero
    if (value === undefined) throw new CommandError('ERR min or max is not a float')
    return value
  }
  return {
    min: limit(min),
    max: limit(max),
    minExclusive: min.startsWith('('),
    maxExclusive: max.startsWith('('),
  }
}

interface Shown {
  readonly isReversed: boolean
  readonly withScores: boolean
  readonly limit?: readonly [offset: number, count: number]
}

export function show(found: readonly Ranked[], { isReversed, withScores, limit }: Shown): Reply {
  const ordered = isReversed ? found.toReversed() : found
  const [offset, count] = limit ?? [0, -1]
  const page = offset < 0 ? [] : ordered.slice(offset, count < 0 ? undefined : offset + count)
  return page.flatMap(({ member, score }) => (withScores ? [member, doubleText(score)] : [member]))
}

function scoreText(score: number | undefined): Reply {
  return score === undefined ? null : doubleText(score)
}

/** Removes members at one end. */
function zpop(context: Context, args: readonly Bytes[], event: 'zpopmin' | 'zpopmax'): Reply {
  if (args.length > 2) throw syntaxError()
  const count = args.length === 1 ? 1 : demandCount(word(args, 1))
  if (count < 0) throw new CommandError('ERR value is out of range, must be positive')
  const { ranked } = sortedSetAt(context, args)
  const found = (event === 'zpopmin' ? ranked : ranked.toReversed()).slice(0, count)
  removeAll(context, word(args, 0), membersOf(found), event)
  return show(found, { isReversed: false, withScores: true })
}

/** Draws members: one, some without a double, or with doubles where the count is below zero. */
function zrandmember(context: Context, args: readonly Bytes[]): Reply {
  const { server } = context
  const isOne = args.length === 1
  const count = isOne ? 1 : demandCount(word(args, 1))
  const withScores = withScoresIn(args.slice(2))
  const ranked = [...sortedSetAt(context, args).ranked]
  const drawn = () => ranked[server.draw(ranked.length)] as Ranked
  if (ranked.length === 0) return isOne ? null : []
  if (isOne) return drawn().member
  const chosen =
    count < 0
      ? Array.from({ length: -count }, drawn)
      : Array.from(
          { length: Math.min(count, ranked.length) },
          () => ranked.splice(server.draw(ranked.length), 1)[0] as Ranked,
        )
  return show(chosen, { isReversed: false, withScores })
}

function zscan(context: Context, args: readonly Bytes[]): Reply {
  demandCursor(word(args, 1))
  let pattern = '*'
  readOptions(args.slice(2), {
    MATCH: (next) => (pattern = next()),
    COUNT: (next) => {
      if (demandCount(next()) < 1) throw syntaxError()
    },
  })
  const found = sortedSetAt(context, args).ranked.filter(({ member }) => matches(pattern, member))
  return ['0', show(found, { isReversed: false, withScores: true })]
}

/** Members and scores, as they are shown. */
function zrangestore(context: Context, args: readonly Bytes[]): Reply {
  if (args.slice(4).some((each) => each.toUpperCase() === 'WITHSCORES')) throw syntaxError()
  const shown = zrange(context, [...args.slice(1), 'WITHSCORES']) as readonly Bytes[]
  const set = new SortedSet()
  for (const [member, score] of pairsOf(shown)) set.set(member, demandDouble(score))
  return storeSet(context, word(args, 0), 'zrangestore', set)
}

function zrange(context: Context, args: readonly Bytes[]): Reply {
  let [isByScore, isReversed, withScores] = [false, false, false]
  let limit: readonly [number, number] | undefined
  readOptions(args.slice(3), {
    BYSCORE: () => (isByScore = true),
    REV: () => (isReversed = true),
    WITHSCORES: () => (withScores = true),
    LIMIT: (next) => (limit = [demandCount(next()), demandCount(next())]),
  })
  if (limit && limit[1] !== -1 && !isByScore)
    throw new CommandError(
      'ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX',
    )
  if (!isByScore) return byRank(context, args, { isReversed, withScores })
  const [start, stop] = [word(args, 1), word(args, 2)]
  const range = isReversed ? rangeOf(stop, start) : rangeOf(start, stop)
  return show(sortedSetAt(context, args).within(range), { isReversed, withScores, ...(limit && { limit }) })
}

function withScoresIn(words: readonly Bytes[]): boolean {
  let withScores = false
  readOptions(words, { WITHSCORES: () => (withScores = true) })
  return withScores
}

function byRank(context: Context, args: readonly Bytes[], shown: Shown): Reply {
  const set = sortedSetAt(context, args)
  const ordered = shown.isReversed ? set.ranked.toReversed() : set.ranked
  const found = ordered.slice(...boundsOf(set.size, word(args, 1), word(args, 2)))
  return show(found, { ...shown, isReversed: false })
}

function byScore(context: Context, args: readonly Bytes[], isReversed: boolean): Reply {
  let withScores = false
  let limit: readonly [number, number] | undefined
  readOptions(args.slice(3), {
    WITHSCORES: () => (withScores = true),
    LIMIT: (next) => (limit = [demandCount(next()), demandCount(next())]),
  })
  const [one, other] = [word(args, 1), word(args, 2)]
  const range = isReversed ? rangeOf(other, one) : rangeOf(one, other)
  return show(sortedSetAt(context, args).within(range), { isReversed, withScores, ...(limit && { limit }) })
}
