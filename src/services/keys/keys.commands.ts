import { defineCommand } from '../../command/operation/command.js'
import { bytes, integer, list, nullable, status, text, tuple } from '../../command/operation/replies.js'

const keys = ['...keys'] as const
const page = tuple(text, list(bytes))

/** The next cursor, and some keys. */
export const scan = defineCommand('SCAN', {
  keys: [],
  args: ['cursor', 'MATCH', 'pattern', 'COUNT', 'count'],
  reply: page,
  repeat: 'safe',
})

/** The same for keys of one type. */
export const scanType = defineCommand('SCAN', {
  keys: [],
  args: ['cursor', 'MATCH', 'pattern', 'COUNT', 'count', 'TYPE', 'type'],
  reply: page,
  repeat: 'safe',
})

/** How many there were. A copy would not find those that the first one has removed. */
export const remove = defineCommand('DEL', { keys, args: [], reply: integer, repeat: 'counting' })

export const unlink = defineCommand('UNLINK', { keys, args: [], reply: integer, repeat: 'counting' })

export const touch = defineCommand('TOUCH', { keys, args: [], reply: integer, repeat: 'idempotent' })

export const countExists = defineCommand('EXISTS', { keys, args: [], reply: integer, repeat: 'safe' })

export const type = defineCommand('TYPE', { keys: ['key'], args: [], reply: text, repeat: 'safe' })

export const size = defineCommand('DBSIZE', { keys: [], args: [], reply: integer, repeat: 'safe' })

export const randomKey = defineCommand('RANDOMKEY', {
  keys: [],
  args: [],
  reply: nullable(bytes),
  repeat: 'safe',
})

export const flushdb = defineCommand('FLUSHDB', { keys: [], args: [], reply: status, repeat: 'idempotent' })

export const flushdbParallel = defineCommand('FLUSHDB ASYNC', {
  keys: [],
  args: [],
  reply: status,
  repeat: 'idempotent',
})

export const flushall = defineCommand('FLUSHALL', { keys: [], args: [], reply: status, repeat: 'idempotent' })

export const flushallParallel = defineCommand('FLUSHALL ASYNC', {
  keys: [],
  args: [],
  reply: status,
  repeat: 'idempotent',
})

/** Twice is not at all. */
export const swapdb = defineCommand('SWAPDB', {
  keys: [],
  args: ['first', 'second'],
  reply: status,
  repeat: 'counting',
})
