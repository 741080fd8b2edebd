import { failure } from '../run/errors.js'
import { stringMetatable } from '../run/metatables.js'
import { Table } from '../run/table.js'
import { asText } from '../run/texts.js'
import { Func } from '../run/values.js'
import { basics } from './basics.js'
import { bit } from './bit.js'
import { cjson } from './cjson.js'
import { cmsgpack } from './cmsgpack.js'
import { libraryTable } from './functions.js'
import { math } from './math.js'
import { redis } from './redis.js'
import { string } from './string.js'
import { struct } from './struct.js'
import { table } from './table.js'

/** What all scripts find. None of them can change it, so that all share it. */
export interface Library {
  readonly globals: Table
  /** The methods of strings. */
  readonly ofStrings: Table
  /** Has the globals name the keys and arguments of one run. */
  readonly enter: (keys: Table, argv: Table) => void
}

export const library = createLibrary()

function createLibrary(): Library {
  const ofStrings = libraryTable(string)
  stringMetatable.set('__index', ofStrings)
  stringMetatable.isReadonly = true
  const globals = libraryTable(basics, {
    _VERSION: 'Lua 5.1',
    string: ofStrings,
    table: libraryTable(table),
    math: libraryTable(math.functions, math.values),
    redis: libraryTable(redis.functions, redis.values),
    cjson: libraryTable(cjson.functions, cjson.values),
    cmsgpack: libraryTable(cmsgpack.functions, cmsgpack.values),
    struct: libraryTable(struct),
    bit: libraryTable(bit),
  })
  globals.set('_G', globals)
  globals.metatable = refusingUnknownNames()
  return {
    globals,
    ofStrings,
    enter: (keys, argv) => {
      globals.set('KEYS', keys)
      globals.set('ARGV', argv)
    },
  }
}

/** A metatable that makes an error of a name that a table does not have. */
export function refusingUnknownNames(): Table {
  const metatable = new Table()
  metatable.set(
    '__index',
    new Func(([, name], thread) => {
      throw failure(
        thread,
        `Script attempted to access nonexistent global variable '${asText(name) ?? '(null)'}'`,
      )
    }),
  )
  metatable.isReadonly = true
  return metatable
}
