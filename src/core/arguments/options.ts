import { demandNoMore, IN_MILLISECONDS } from '../../util/demand-no-more.js'
import { nearest } from '../../util/collections/nearest.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'

export { demandNoMore, IN_MILLISECONDS }
export { ANY_NUMBER, refuseSurplus } from '../../util/refuse-surplus.js'

/** The options that a call takes. */
export interface Known {
  readonly names: readonly string[]
  /** What may stand in the place of the options, such as a number of milliseconds. */
  readonly shortForm: string | undefined
  /** What the object looks like, where one is needed or another value is mistaken for it. */
  readonly shape: string | undefined
  /** Who takes options that are mistaken for those of this call. */
  readonly elsewhere: Readonly<Record<string, string>>
}

/** What other libraries call an option, where that looks like none of the names here. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  attempts: 'maxDeliveries',
  backoff: 'retryDelayMs',
  duration: 'leaseMs',
  expiry: 'leaseMs',
  ttl: 'leaseMs',
  ttlMs: 'leaseMs',
  jobId: 'dedup',
  owner: 'threadId',
  retries: 'waitMs',
  retryCount: 'waitMs',
  timeout: 'waitMs',
  timeoutMs: 'waitMs',
}

/** What it may have meant by a number beside a value. */
export const BY_EXPIRE = 'expire() sets a time to live'

/** Lists the options of a call. The compiler demands that none of their type is left out. */
export function known<T extends object>(
  names: Readonly<Record<keyof T, true>>,
  { shortForm, shape, elsewhere = {} }: Partial<Omit<Known, 'names'>> = {},
): Known {
  return { names: Object.keys(names), shortForm, shape, elsewhere }
}

/**
 * Refuses what is no object, and options that the call would ignore.
 *
 * @param what - the name of an option that has options of its own
 */
export function demandOptions(options: unknown, call: Known, what = 'the options'): void {
  // A signal or a list would be an object without any of the options.
  if (!isPlain(options)) throw noOptions(options, call, what)
  for (const name in options)
    if (!call.names.includes(name) && Object.hasOwn(options, name)) throw unknownOption(name, call)
}

/** The options of a call, which may have been left out. Refuses those that it would ignore. */
export function optionsOf<T extends object>(options: Partial<T> | undefined, call: Known): Partial<T> {
  if (options === undefined) return {}
  demandOptions(options, call)
  return options
}

/** Refuses a second number beside options, in the place of which they stand. */
export function demandNoNumber(beside: unknown): void {
  demandNoMore(beside, 'options take the place of both numbers')
}

function noOptions(options: unknown, { shortForm, shape }: Known, what: string): TypeError {
  const object = shape === undefined ? 'an object' : `an object such as ${shape}`
  const expected = shortForm === undefined ? object : `${object} or ${shortForm}`
  return new TypeError(`Expected ${what} to be ${expected}, got ${inspectShort(options)}`)
}

function unknownOption(name: string, call: Known): TypeError {
  const got = /^\w{1,64}$/.test(name) ? `\`${name}\`` : inspectWord(name)
  return new TypeError(`Expected no options but ${call.names.join(', ')}, got ${got}${hintAt(name, call)}`)
}

function hintAt(name: string, { names, elsewhere }: Known): string {
  const there = [...names, ...Object.keys(elsewhere)]
  const meant = [name, OTHER_WORDS[name], nearest(name, there)].find((word = '') => there.includes(word))
  if (meant === undefined) return ''
  return names.includes(meant)
    ? `: did you mean \`${meant}\`?`
    : `: \`${meant}\` is an option of ${String(elsewhere[meant])}`
}
