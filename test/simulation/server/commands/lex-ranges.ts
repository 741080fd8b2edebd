import { CommandError } from '../command-error.js'
import { demandCount } from '../numbers.js'
import type { Bytes, Reply } from '../reply.js'
import type { Ranked } from '../sorted-set.js'
import { command, word, type Command, type Context } from './command.js'
import { readOptions } from './options.js'
import { membersOf, removeAll, show, sortedSetAt } from './sorted-sets.js'

/** Ranges of members that have the same score, by their bytes. */
export const lexRanges: readonly Command[] = [
  command('zrangebylex', -4, 'read', (context, args) => range(context, args, false)),
  command('zrevrangebylex', -4, 'read', (context, args) => range(context, args, true)),
  command(
    'zlexcount',
    4,
    'read',
    (context, args) => within(context, args, word(args, 1), word(args, 2)).length,
  ),
  command('zremrangebylex', 4, 'write', (context, args) => {
    const found = within(context, args, word(args, 1), word(args, 2))
    return removeAll(context, word(args, 0), membersOf(found), 'zremrangebylex')
  }),
]

function range(context: Context, args: readonly Bytes[], isReversed: boolean): Reply {
  let limit: readonly [number, number] | undefined
  readOptions(args.slice(3), { LIMIT: (next) => (limit = [demandCount(next()), demandCount(next())]) })
  const [one, other] = [word(args, 1), word(args, 2)]
  const found = isReversed ? within(context, args, other, one) : within(context, args, one, other)
  return show(found, { isReversed, withScores: false, ...(limit && { limit }) })
}

function within(context: Context, args: readonly Bytes[], min: Bytes, max: Bytes): readonly Ranked[] {
  const [isAfterMin, isBeforeMax] = [comparerOf(min, 1), comparerOf(max, -1)]
  return sortedSetAt(context, args).ranked.filter(({ member }) => isAfterMin(member) && isBeforeMax(member))
}

/** Reads a limit such as `(a`, `[a`, `-` or `+`. Returns whether a member is on the side of it that belongs to the range. */
function comparerOf(limit: Bytes, side: 1 | -1): (member: Bytes) => boolean {
  if (limit === '-') return () => side === 1
  if (limit === '+') return () => side === -1
  const [mark, text] = [limit.slice(0, 1), limit.slice(1)]
  if (mark !== '(' && mark !== '[') throw new CommandError('ERR min or max not valid string range item')
  return (member) => (member === text ? mark === '[' : (member > text ? 1 : -1) === side)
}
