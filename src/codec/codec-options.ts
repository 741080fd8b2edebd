import { nearest } from '../util/collections/nearest.js'
import { inspectShort, inspectWord } from '../util/inspect-short.js'
import { isPlain } from '../util/is-plain.js'

/** The values that each option of a codec may have. */
export type OptionValues<T extends object> = Readonly<Record<keyof T, readonly (boolean | number)[]>>

export const FLAG: readonly boolean[] = [true, false]

/** Refuses options of a codec that it would ignore or misread. The compiler demands that none of their type is left out. */
export function demandCodecOptions<T extends object>(
  codec: string,
  options: T,
  known: OptionValues<T>,
): void {
  if (!isPlain(options)) {
    throw new TypeError(`Expected the options of ${codec}() to be an object, got ${inspectShort(options)}`)
  }
  demandNames(`${codec}()`, options, Object.keys(known))
  for (const [name, value] of Object.entries(options) as [keyof T & string, unknown][])
    if (value !== undefined) demandOneOf(`\`${name}\` of ${codec}()`, value, known[name])
}

/** Rejects another value than those of a list. */
export function demandOneOf(what: string, value: unknown, values: readonly unknown[]): void {
  if (values.includes(value)) return
  throw new TypeError(`Expected ${what} to be ${values.join(' or ')}, got ${inspectShort(value)}`)
}

/** Rejects unknown names. */
export function demandNames(where: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const meant = nearest(unknown, names)
  const hint = meant === undefined ? '' : `: did you mean \`${meant}\`?`
  throw new TypeError(
    `Expected nothing in ${where} but ${names.join(', ')}, got ${inspectWord(unknown)}${hint}`,
  )
}
