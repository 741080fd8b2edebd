import type { Bytes } from './reply.js'

/** Commands without keys. */
const NONE =
  /^(keys|scan|randomkey|dbsize|flushdb|flushall|swapdb|publish|[ps]?(un)?subscribe|pubsub|script|function|ping|echo|select|auth|hello|readonly|readwrite|asking|client|cluster|quit|time|info|role|wait|config|multi|exec|discard|sentinel)$/

/** Commands of which every word is a key. */
const ALL =
  /^(del|unlink|exists|touch|mget|pfcount|pfmerge|sunion|sunionstore|sdiff|sdiffstore|sinter|sinterstore)$/

/** Commands whose first two words are keys. */
const TWO = /^(rename|renamenx|copy|smove|rpoplpush|lmove|lcs|zrangestore|geosearchstore)$/

/** Commands whose first word is a subcommand, and whose second is a key. */
const SUBCOMMANDED = /^(object|memory|xgroup|xinfo)$/

/** Commands that say how many keys follow, after so many words. */
const COUNTED: Readonly<Record<Bytes, number>> = {
  eval: 1,
  eval_ro: 1,
  evalsha: 1,
  evalsha_ro: 1,
  fcall: 1,
  fcall_ro: 1,
  sintercard: 0,
  zunion: 0,
  zinter: 0,
  zdiff: 0,
  zintercard: 0,
}

/** Commands that write to their first word, and say how many keys follow. */
const STORING = /^z(union|inter|diff)store$/

/** The keys that a command names, in its order. */
export function keysOf([name = '', ...args]: readonly Bytes[]): readonly Bytes[] {
  const command = name.toLowerCase()
  if (NONE.test(command)) return []
  if (ALL.test(command)) return args
  if (TWO.test(command)) return args.slice(0, 2)
  if (command === 'mset') return args.filter((_, n) => n % 2 === 0)
  if (command === 'bitop') return args.slice(1)
  if (SUBCOMMANDED.test(command)) return args.slice(1, 2)
  if (command === 'xread' || command === 'xreadgroup') return streamsOf(args)
  if (command === 'sort') return sortedKeys(args)
  const counted = COUNTED[command]
  if (counted !== undefined) return keysAfter(args, counted)
  if (STORING.test(command)) return [...args.slice(0, 1), ...keysAfter(args, 1)]
  return args.slice(0, 1)
}

function keysAfter(args: readonly Bytes[], at: number): readonly Bytes[] {
  return args.slice(at + 1, at + 1 + Number(args[at]))
}

/** The first half of what follows `STREAMS`. */
export function streamsOf(args: readonly Bytes[]): readonly Bytes[] {
  const at = args.findIndex((word) => word.toLowerCase() === 'streams') + 1
  return at === 0 ? [] : args.slice(at, at + Math.floor((args.length - at) / 2))
}

/** What is sorted, and where it is stored. */
function sortedKeys(args: readonly Bytes[]): readonly Bytes[] {
  const store = args.findLastIndex((word) => word.toLowerCase() === 'store')
  return [...args.slice(0, 1), ...(store > 0 ? args.slice(store + 1, store + 2) : [])]
}
