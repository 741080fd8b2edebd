import type { Body, Value } from '../run/values.js'
import { Table } from '../run/table.js'
import { libraryTable } from './functions.js'
import { library, refusingUnknownNames } from './library.js'
import { redis } from './redis.js'

/** What only scripts have of the library `redis`. */
const ONLY_IN_SCRIPTS = ['breakpoint', 'debug', 'replicate_commands']

/** Globals of scripts that functions get as arguments. */
const ARGUMENTS = ['KEYS', 'ARGV']

/** What functions find while they run: what scripts find, without keys and arguments. */
const whileRunning = createGlobals()

/** The globals of a library of functions, which are others while it is loaded. */
export class FunctionGlobals {
  readonly table = new Table()
  readonly #metatable = new Table()

  constructor() {
    this.table.metatable = this.#metatable
    this.table.isReadonly = true
    this.#metatable.set('__index', whileRunning)
  }

  /** Runs the code of the library, which finds nothing but what it needs to register functions. */
  whileLoading(register: Body, run: () => void): void {
    this.#metatable.set('__index', globalsFor(register))
    try {
      run()
    } finally {
      this.#metatable.set('__index', whileRunning)
    }
  }
}

function globalsFor(register: Body): Table {
  const { log } = redis.functions
  const values = Object.entries(redis.values).filter(([name]) => /^(LOG|REDIS)_/.test(name))
  const own = libraryTable({ register_function: register, ...(log && { log }) }, Object.fromEntries(values))
  return refusing(libraryTable({}, { redis: refusing(own) }))
}

function createGlobals(): Table {
  const functions = Object.entries(redis.functions).filter(([name]) => !ONLY_IN_SCRIPTS.includes(name))
  const values = entriesOf(library.globals).filter(([name]) => !ARGUMENTS.includes(name))
  const globals = libraryTable({}, Object.fromEntries(values))
  globals.set('redis', libraryTable(Object.fromEntries(functions), redis.values))
  globals.set('_G', globals)
  return refusing(globals)
}

function refusing(table: Table): Table {
  table.metatable = refusingUnknownNames()
  return table
}

function entriesOf(table: Table): [name: string, value: Value][] {
  const entries: [string, Value][] = []
  for (let key = table.keyAfter(undefined); typeof key === 'string'; key = table.keyAfter(key))
    entries.push([key, table.get(key)])
  return entries
}
