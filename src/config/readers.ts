import type { CredentialsProvider } from '../api/credentials.js'
import { ConfigError } from '../errors/client-errors.js'
import { nearest } from '../util/collections/nearest.js'

/** Takes a setting as it is written and returns what it means, or throws a {@link ConfigError} that names its key. */
export type Reader<T> = (value: unknown, key: string) => T

/** The largest number that every clock, counter and timer on the way takes as it is meant. */
const LARGEST = 2 ** 31 - 1

/** A setting that may be left out. YAML files write `null` for that. */
export function optional<T, F>(read: Reader<T>, fallback: F): Reader<T | F> {
  return (value, key) => (value === undefined || value === null ? fallback : read(value, key))
}

export const flag: Reader<boolean> = reader(
  'true or false',
  (value): value is boolean => typeof value === 'boolean',
)

export function wholeNumber(least: number, most: number = LARGEST): Reader<number> {
  return reader(`a whole number from ${least} to ${most}`, isWholeNumber(least, most))
}

export function milliseconds(least: number): Reader<number> {
  return reader(`a whole number of milliseconds from ${least} to ${LARGEST}`, isWholeNumber(least, LARGEST))
}

function isWholeNumber(least: number, most: number) {
  return (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

export const text: Reader<string> = reader(
  'a text that is not empty',
  (value): value is string => typeof value === 'string' && value !== '',
)

/** A user name or password. Empty is none: so an empty environment variable means that there is no password. */
export const secret: Reader<string | undefined> = (value, key) => {
  if (typeof value !== 'string') throw new ConfigError(key, 'a text', value, { secret: true })
  return value === '' ? undefined : value
}

/** What is asked for credentials that change. */
export const credentialsProvider: Reader<CredentialsProvider> = reader(
  'a function, which only settings in code can have',
  (value): value is CredentialsProvider => typeof value === 'function',
  { secret: true },
)

/** One of several words. A text that is none is shown only if it comes near one: another may be a secret on the wrong line. */
export function oneOf<T extends string>(...words: readonly T[]): Reader<T> {
  const expected = `one of ${words.join(', ')}`
  return (value, key) => {
    const word = words.find((each) => each === value)
    if (word !== undefined) return word
    const meant = typeof value === 'string' ? nearest(value, words) : undefined
    throw meant !== undefined
      ? quoting(key, expected, value as string, meant)
      : new ConfigError(key, expected, value, { secret: true })
  }
}

/**
 * The error of a setting where a text was expected that may be shown. Other texts are not, as they may be passwords.
 *
 * @param meant - what was probably meant; undefined where nothing comes near
 */
export function quoting(key: string, expected: string, got: string, meant?: string): ConfigError {
  const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`
  const shown = JSON.stringify(got.length > 78 ? `${got.slice(0, 75)}...` : got)
  return new ConfigError(key, expected, undefined, {
    message: `Expected \`${key}\` to be ${expected}, got ${shown}${hint}`,
  })
}

export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, key) => {
    if (!Array.isArray(value)) throw new ConfigError(key, 'a list', value, { secret: true })
    return Object.freeze(Array.from(value, (item, index) => read(item, `${key}[${index}]`)))
  }
}

/** A list with something in it. */
export function listOfSome<T>(read: Reader<T>): Reader<readonly T[]> {
  const readAll = listOf(read)
  return (value, key) => {
    const items = readAll(value, key)
    if (items.length === 0) throw new ConfigError(key, 'a list that is not empty', value)
    return items
  }
}

/** Accepts what a test accepts, as it is. What is refused is shown, unless it is a text or may be a secret otherwise. */
export function reader<T>(
  expected: string,
  accepts: (value: unknown) => value is T,
  options?: { readonly secret: boolean },
): Reader<T> {
  return (value, key) => {
    if (accepts(value)) return value
    throw new ConfigError(key, expected, value, options)
  }
}

/** Whether a value can hold settings by name. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
