import { CommandError, syntaxError, wrongType } from '../command-error.js'
import type { Database, Entry } from '../database.js'
import { demandCount, doubleOf } from '../numbers.js'
import { type Bytes, type Reply } from '../reply.js'
import { SortedSet } from '../sorted-set.js'
import { command, word, type Command, type Context } from './command.js'

/** What a request to sort wants. */
interface Wanted {
  by: Bytes | undefined
  from: number
  count: number
  readonly get: Bytes[]
  descending: boolean
  alpha: boolean
  store: Bytes | undefined
}

export const sorting: readonly Command[] = [command('sort', -2, 'grow', sort)]

function sort(context: Context, args: readonly Bytes[]): Reply {
  const { database, notify } = context
  const key = word(args, 0)
  const wanted = wantedBy(args.slice(1))
  const entry = database.use(key)
  const chosen = chosenOf(orderedOf(database, entry, wanted), wanted)
  const replies =
    wanted.get.length === 0
      ? chosen
      : chosen.flatMap((element) => wanted.get.map((pattern) => found(database, pattern, element)))
  if (wanted.store === undefined) return replies
  if (replies.length > 0) {
    database.put(wanted.store, { type: 'list', value: replies.map((each) => each ?? '') })
    notify('l', 'sortstore', wanted.store)
  } else if (database.remove(wanted.store)) notify('g', 'del', wanted.store)
  return replies.length
}

function wantedBy(words: readonly Bytes[]): Wanted {
  const wanted: Wanted = {
    by: undefined,
    from: 0,
    count: -1,
    get: [],
    descending: false,
    alpha: false,
    store: undefined,
  }
  for (let at = 0; at < words.length; at += 1) {
    const left = words.length - at - 1
    const next = () => words[(at += 1)] ?? ''
    const option = word(words, at).toUpperCase()
    if (option === 'ASC') wanted.descending = false
    else if (option === 'DESC') wanted.descending = true
    else if (option === 'ALPHA') wanted.alpha = true
    else if (option === 'LIMIT' && left >= 2)
      [wanted.from, wanted.count] = [demandCount(next()), demandCount(next())]
    else if (option === 'STORE' && left >= 1) wanted.store = next()
    else if (option === 'BY' && left >= 1) wanted.by = next()
    else if (option === 'GET' && left >= 1) wanted.get.push(next())
    else throw syntaxError()
  }
  return wanted
}

function orderedOf(database: Database, entry: Entry | undefined, { by, descending, alpha, store }: Wanted) {
  const elements = elementsOf(entry)
  const isSorted = by === undefined || by.includes('*')
  // A set has no order of its own, which a list of its elements would need.
  const byElement = !isSorted && entry?.type === 'set' && store !== undefined
  if (!isSorted && !byElement) return elements
  const isText = alpha || byElement
  const weightOf = (element: Bytes) => {
    const text = by === undefined || byElement ? element : found(database, by, element)
    return isText ? text : numberOf(text)
  }
  const weighed = elements.map((element) => ({ element, weight: weightOf(element) }))
  const sign = descending ? -1 : 1
  return weighed
    .toSorted((one, other) => sign * orderOf([one.weight, one.element], [other.weight, other.element], by))
    .map(({ element }) => element)
}

type Weighed = readonly [weight: Bytes | number | null | undefined, element: Bytes]

function orderOf([one, element]: Weighed, [other, otherElement]: Weighed, by: Bytes | undefined): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? -1 : 1
  if (one !== other && one !== undefined && other !== undefined) return one < other ? -1 : 1
  if (typeof one !== 'number' && by !== undefined) return 0
  return element < otherElement ? -1 : element > otherElement ? 1 : 0
}

function numberOf(text: Bytes | null): number {
  if (text === null) return 0
  const number = doubleOf(text.trimStart())
  if (number === undefined) throw new CommandError("ERR One or more scores can't be converted into double")
  return number
}

function elementsOf(entry: Entry | undefined): readonly Bytes[] {
  const value = entry?.value
  if (value === undefined) return []
  if (value instanceof Set || Array.isArray(value)) return [...(value as Iterable<Bytes>)]
  if (value instanceof SortedSet) return value.ranked.map(({ member }) => member)
  throw wrongType()
}

function chosenOf(elements: readonly Bytes[], { from, count }: Wanted): readonly Bytes[] {
  const start = Math.min(Math.max(from, 0), elements.length)
  return elements.slice(start, count < 0 ? undefined : start + count)
}

/** What a pattern finds for an element: the element itself, a key, or a field of one. */
function found(database: Database, pattern: Bytes, element: Bytes): Bytes | null {
  if (pattern === '#') return element
  const star = pattern.indexOf('*')
  if (star === -1) return null
  const arrow = pattern.indexOf('->', star)
  const isField = arrow !== -1 && arrow + 2 < pattern.length
  const keyPattern = isField ? pattern.slice(0, arrow) : pattern
  const key = keyPattern.slice(0, star) + element + keyPattern.slice(star + 1)
  const entry = database.use(key)
  if (isField) return entry?.value instanceof Map ? (entry.value.get(pattern.slice(arrow + 2)) ?? null) : null
  return typeof entry?.value === 'string' ? entry.value : null
}
