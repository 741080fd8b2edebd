import { Table } from '../run/table.js'
import type { Thread } from '../run/thread.js'
import { type Body, Func, type Value, type Values } from '../run/values.js'
import { Arguments } from './arguments.js'

/** A function of the library that looks at each of its arguments. */
export type Checking = (args: Arguments, thread: Thread) => Values

/** A function that checks its arguments. */
export function checking(body: Checking): Body {
  return (args, thread) => body(new Arguments(args, thread), thread)
}

/** The same with one result. */
export function giving(body: (args: Arguments, thread: Thread) => Value): Body {
  return (args, thread) => [body(new Arguments(args, thread), thread)]
}

/** A table that scripts cannot change. */
export function libraryTable(functions: Record<string, Body>, values: Record<string, Value> = {}): Table {
  const table = new Table()
  for (const [name, body] of Object.entries(functions)) table.set(name, new Func(body))
  for (const [name, value] of Object.entries(values)) table.set(name, value)
  table.isReadonly = true
  return table
}
