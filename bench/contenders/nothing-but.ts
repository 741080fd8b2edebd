import { VALUE_KINDS, type Contender, type ValueKind } from './contender.js'
import { nothingButValues } from './nothing-but-values.js'

/** What a contender cannot that has one kind of values and nothing else: every other kind, for one reason. */
export function nothingBut(only: ValueKind, why: string): Contender['cannot'] {
  const others = VALUE_KINDS.filter((kind) => kind !== only)
  const values: Partial<Record<ValueKind, string>> = Object.fromEntries(others.map((kind) => [kind, why]))
  return { ...nothingButValues(why), ...values }
}
