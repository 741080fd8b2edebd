import type { FunctionLibrary, LibraryFunction } from './function.api.js'
import { defineCommand, type PlainCommand } from '../../command/operation/command.js'
import { bytes, list, nullable, pairs, status, text, unread } from '../../command/operation/replies.js'
import type { Reply } from '../../connection/connection.js'
import type { CodeFace } from '../shared/code-calls.js'

const idempotent = { keys: [], reply: status, repeat: 'idempotent' } as const

/** A copy would find that the first one has done it. */
const once = { keys: [], reply: status, repeat: 'counting' } as const

export const load = defineCommand('FUNCTION LOAD', {
  ...once,
  args: ['code'],
  reply: text,
})

export const loadAndReplace = defineCommand('FUNCTION LOAD', {
  ...idempotent,
  args: ['REPLACE', 'code'],
  reply: text,
})

export const remove = defineCommand('FUNCTION DELETE', { ...once, args: ['library'] })

export const flush = defineCommand('FUNCTION FLUSH', { ...idempotent, args: [] })

export const dump = defineCommand('FUNCTION DUMP', { keys: [], args: [], reply: bytes, repeat: 'safe' })

export const restore = defineCommand('FUNCTION RESTORE', { ...once, args: ['state', 'APPEND'] })

export const restoreAndReplace = defineCommand('FUNCTION RESTORE', {
  ...idempotent,
  args: ['state', 'REPLACE'],
})

export const restoreAfterFlush = defineCommand('FUNCTION RESTORE', {
  ...idempotent,
  args: ['state', 'FLUSH'],
})

export const listLibraries = defineCommand('FUNCTION LIST', {
  keys: [],
  args: ['LIBRARYNAME', 'pattern', 'WITHCODE'],
  reply: list(library),
  repeat: 'safe',
})

/** A call of a function, whose name stands where a subcommand would. */
export function functionCall<R>(
  name: string,
  { readOnly, ...face }: CodeFace<R>,
): PlainCommand<'NUMKEYS' | '...keys', '...values', R> {
  const command = defineCommand(readOnly ? 'FCALL_RO' : 'FCALL', {
    keys: ['NUMKEYS', '...keys'],
    args: ['...values'],
    ...face,
  })
  return { ...command, subcommand: [name] }
}

function library(reply: Reply): FunctionLibrary {
  const field = fieldsOf(reply)
  const code = text(field('library_code'))
  return {
    name: text(field('library_name')),
    engine: text(field('engine')),
    functions: list(libraryFunction)(field('functions')),
    code: code.slice(code.indexOf('\n') + 1),
  }
}

function libraryFunction(reply: Reply): LibraryFunction {
  const field = fieldsOf(reply)
  return {
    name: text(field('name')),
    description: nullable(text)(field('description')),
    flags: list(text)(field('flags')),
  }
}

/** Reads the fields of a record by their names. */
function fieldsOf(reply: Reply): (name: string) => Reply {
  const fields = new Map(pairs(text, unread)(reply))
  return (name) => fields.get(name) ?? null
}
