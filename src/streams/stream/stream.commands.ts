import { defineCommand } from '../../command/operation/command.js'
import { boolean, integer, nullable, status, text } from '../../command/operation/replies.js'
import * as replies from './stream-replies.js'

const stream = ['stream'] as const

/** The id; undefined if there is no stream. */
export const add = defineCommand('XADD', {
  keys: stream,
  args: ['...words'],
  reply: nullable(text),
  repeat: 'counting',
})

export const size = defineCommand('XLEN', { keys: stream, args: [], reply: integer, repeat: 'safe' })

export const range = defineCommand('XRANGE', {
  keys: stream,
  args: ['from', 'to', '...count'],
  reply: replies.messages,
  repeat: 'safe',
})

export const rangeReversed = defineCommand('XREVRANGE', {
  keys: stream,
  args: ['to', 'from', '...count'],
  reply: replies.messages,
  repeat: 'safe',
})

export const read = defineCommand('XREAD', {
  leading: ['...count'],
  keys: ['STREAMS', 'stream'],
  args: ['after'],
  reply: replies.messagesOfOne,
  repeat: 'safe',
})

/** What it brings is pending at the consumer. */
export const readGroup = defineCommand('XREADGROUP', {
  leading: ['GROUP', 'group', 'consumer', '...options'],
  keys: ['STREAMS', 'stream'],
  args: ['after'],
  reply: replies.messagesOfOne,
  repeat: 'counting',
})

/** Whether there was none. */
export const createConsumer = defineCommand('XGROUP CREATECONSUMER', {
  keys: stream,
  args: ['group', 'consumer'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

/** How many messages were pending at it. */
export const removeConsumer = defineCommand('XGROUP DELCONSUMER', {
  keys: stream,
  args: ['group', 'consumer'],
  reply: integer,
  repeat: 'counting',
})

export const removeGroup = defineCommand('XGROUP DESTROY', {
  keys: stream,
  args: ['group'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

export const updateGroupMessageId = defineCommand('XGROUP SETID', {
  keys: stream,
  args: ['group', 'id'],
  reply: status,
  repeat: 'idempotent',
})

/** How many were pending. */
export const ack = defineCommand('XACK', {
  keys: stream,
  args: ['group', '...ids'],
  reply: integer,
  repeat: 'counting',
})

/** The same where it does not matter how many were pending. */
export const settle = defineCommand('XACK', {
  keys: stream,
  args: ['group', '...ids'],
  reply: replies.done,
  repeat: 'idempotent',
})

export const getPendingInfo = defineCommand('XPENDING', {
  keys: stream,
  args: ['group'],
  reply: replies.pendingInfo,
  repeat: 'safe',
})

export const listPending = defineCommand('XPENDING', {
  keys: stream,
  args: ['group', '...range'],
  reply: replies.pendingEntries,
  repeat: 'safe',
})

/** Each message has been delivered once more. */
export const claim = defineCommand('XCLAIM', {
  keys: stream,
  args: ['group', 'consumer', 'idleMs', '...ids'],
  reply: replies.messages,
  repeat: 'counting',
})

/** A copy finds messages that are not idle any more. */
export const fastClaim = defineCommand('XCLAIM', {
  keys: stream,
  args: ['group', 'consumer', 'idleMs', '...idsAndJustId'],
  reply: replies.ids,
  repeat: 'counting',
})

/** Each message has been delivered once more. */
export const autoClaim = defineCommand('XAUTOCLAIM', {
  keys: stream,
  args: ['group', 'consumer', 'idleMs', 'from', 'COUNT', 'count'],
  reply: replies.claimed('messages', replies.messages),
  repeat: 'counting',
})

/** A copy finds messages that are not idle any more. */
export const fastAutoClaim = defineCommand('XAUTOCLAIM', {
  keys: stream,
  args: ['group', 'consumer', 'idleMs', 'from', 'COUNT', 'count', 'JUSTID'],
  reply: replies.claimed('ids', replies.ids),
  repeat: 'counting',
})

/** How many were removed. */
export const trim = defineCommand('XTRIM', {
  keys: stream,
  args: ['...words'],
  reply: integer,
  repeat: 'counting',
})

/** How many there were. */
export const remove = defineCommand('XDEL', {
  keys: stream,
  args: ['...ids'],
  reply: integer,
  repeat: 'counting',
  addsUp: true,
})

export const getInfo = defineCommand('XINFO STREAM', {
  keys: stream,
  args: [],
  reply: replies.info,
  repeat: 'safe',
})

export const listGroups = defineCommand('XINFO GROUPS', {
  keys: stream,
  args: [],
  reply: replies.groups,
  repeat: 'safe',
})

export const listConsumers = defineCommand('XINFO CONSUMERS', {
  keys: stream,
  args: ['group'],
  reply: replies.consumers,
  repeat: 'safe',
})
