import type { Argument } from '../../connection/connection.js'
import type { Parameter, SentName, Values } from './operation.js'

/** The name that stands for the number of keys which follow it, as in `ZUNIONSTORE target NUMKEYS set set`. */
const KEY_COUNT = 'NUMKEYS'

/** The names of what is known only when a copy is sent. */
const SENT: readonly SentName[] = ['publish', 'attempt']

/** What stands for these names in a copy. */
export type Sent = Readonly<Record<SentName, Argument>>

/** Reads the names of a command. */
export function commandParameters(names: readonly string[]): readonly Parameter[] {
  return names.map((name) => {
    if (name === KEY_COUNT) return { name, takes: 'count' }
    return name === name.toUpperCase() ? { name, takes: 'word' } : valueOf(name)
  })
}

/** Reads the names of a script, which has no words of its own. */
export function scriptParameters(names: readonly string[]): readonly Parameter[] {
  return names.map((name) => {
    const takes = SENT.find((each) => each === name)
    return takes === undefined ? valueOf(name) : { name, takes }
  })
}

/** The first key, if it has a name of its own. */
export function ownKeyOf(keys: readonly Parameter[]): string | undefined {
  const first = keys.find(({ takes }) => takes === 'value' || takes === 'list')
  return first?.takes === 'value' ? first.name : undefined
}

/** Adds what is sent to a list, in the order of the names. */
export function append(
  list: Argument[],
  parameters: readonly Parameter[],
  values: Values,
  sent?: Sent,
): void {
  let countAt = -1
  for (const { name, takes } of parameters) {
    if (takes === 'value') list.push(values[name] as Argument)
    else if (takes === 'list') for (const value of values[name] as readonly Argument[]) list.push(value)
    else if (takes === 'word') list.push(name)
    else if (takes === 'count') countAt = list.push(0) - 1
    else if (sent !== undefined) list.push(sent[takes])
  }
  if (countAt >= 0) list[countAt] = list.length - 1 - countAt
}

function valueOf(name: string): Parameter {
  return name.startsWith('...') ? { name: name.slice(3), takes: 'list' } : { name, takes: 'value' }
}
