import { nearest } from '../util/nearest.js'
import { inspectShort, inspectWord } from '../util/inspect-short.js'
import { isPlain } from '../util/is-plain.js'

/** The type that each option of a codec has to be of. */
export type OptionTypes<T extends object> = Readonly<Record<keyof T, 'boolean'>>

/** Refuses options of a codec that it would ignore or misread. The compiler demands that none of their type is left out. */
export function demandCodecOptions<T extends object>(codec: string, options: T, types: OptionTypes<T>): void {
  if (!isPlain(options)) {
    throw new TypeError(`Expected the options of ${codec}() to be an object, got ${inspectShort(options)}`)
  }
  demandNames(`${codec}()`, options, Object.keys(types))
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && typeof value !== 'boolean') {
      throw new TypeError(
        `Expected \`${name}\` of ${codec}() to be true or false, got ${inspectShort(value)}`,
      )
    }
  }
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
