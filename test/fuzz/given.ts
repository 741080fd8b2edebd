import fc from 'fast-check'
import { inspect } from 'node:util'

/** An argument, made anew for each call, so that no call finds what another has done to it. */
export interface Given {
  /** What it is, to say so when a call with it fails. */
  readonly label: string
  readonly make: () => unknown
}

/** What the program's own getters, functions and signals throw: it may come back to the program as it is. */
export class Planted extends Error {
  override readonly name = 'Planted'
}

export function given(value: unknown): Given {
  return {
    label: typeof value === 'string' ? inspect(value, { maxStringLength: 60 }) : fc.stringify(value),
    make: () => value,
  }
}

export function made(label: string, make: () => unknown): Given {
  return { label, make }
}

/** One of these values. */
export function values(...all: readonly unknown[]): fc.Arbitrary<Given> {
  return fc.constantFrom(...all.map(given))
}

/** One of these, by its label. */
export function oneOf(table: Readonly<Record<string, () => unknown>>): fc.Arbitrary<Given> {
  return fc.constantFrom(...Object.entries(table).map(([label, make]) => made(label, make)))
}

/** An object that has some of these fields, and all that are required, as a caller would write it. */
export function fields(
  shape: Readonly<Record<string, fc.Arbitrary<Given>>>,
  requiredKeys: string[] = [],
): fc.Arbitrary<Given> {
  return fc.record(shape, { requiredKeys }).map((record) => {
    const entries = Object.entries<Given>(record)
    return made(`{ ${entries.map(([name, { label }]) => `${name}: ${label}`).join(', ')} }`, () =>
      Object.fromEntries(entries.map(([name, { make }]) => [name, make()])),
    )
  })
}
