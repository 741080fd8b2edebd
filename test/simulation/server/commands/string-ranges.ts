import { CommandError } from '../command-error.js'
import { demandInteger } from '../numbers.js'
import { command, word, type Command, type Context } from './command.js'

/** The most bytes that a string has. */
const MOST_BYTES = 2n ** 29n

/** The commands that read or write a part of a string. */
export const stringRanges: readonly Command[] = [
  command('getrange', 4, 'read', ({ database }, args) => {
    const [first, last] = [demandInteger(word(args, 1)), demandInteger(word(args, 2))]
    const value = database.read(word(args, 0), 'string') ?? ''
    if (first < 0n && last < 0n && first > last) return ''
    return value.slice(fromStart(first, value.length), fromStart(last, value.length) + 1)
  }),
  command('setrange', 4, 'grow', setRange),
]

/** A place in a string, where a negative one is counted from the end. */
function fromStart(place: bigint, length: number): number {
  return Math.max(0, Number(place < 0n ? place + BigInt(length) : place))
}

function setRange({ database, notify }: Context, args: readonly string[]): number {
  const [key, part] = [word(args, 0), word(args, 2)]
  const offset = demandInteger(word(args, 1))
  if (offset < 0n) throw new CommandError('ERR offset is out of range')
  const present = database.read(key, 'string') ?? ''
  if (part === '') return present.length
  if (offset + BigInt(part.length) > MOST_BYTES)
    throw new CommandError('ERR string exceeds maximum allowed size (proto-max-bulk-len)')
  const at = Number(offset)
  const value = present.slice(0, at).padEnd(at, '\0') + part + present.slice(at + part.length)
  database.put(key, { type: 'string', value, expireAt: database.find(key)?.expireAt })
  notify('$', 'setrange', key)
  return value.length
}
