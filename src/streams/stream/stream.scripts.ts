import { integer, list, text, tuple, type Decoder } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import type { Reply } from '../../connection/connection.js'
import restOfLua from '../../core/lua/rest-of.lua'
import createGroupLua from './lua/create-group.lua'
import giveBackLua from './lua/give-back.lua'
import hasHadLua from './lua/has-had.lua'
import keepLua from './lua/keep.lua'
import leaveLua from './lua/leave.lua'
import moveToDeadLettersLua from './lua/move-to-dead-letters.lua'
import pendingAtLua from './lua/pending-at.lua'
import pendingRangeLua from './lua/pending-range.lua'
import readNewLua from './lua/read-new.lua'
import takeIdleLua from './lua/take-idle.lua'
import takeOwnLua from './lua/take-own.lua'
import { packedMessages } from './packed-messages.js'
import * as replies from './stream-replies.js'

const stream = ['stream'] as const
const ofConsumer = [restOfLua, pendingAtLua] as const

/** Whether the group was created; undefined if there is no stream. */
export const createGroup = defineScript('stream/create-group', {
  lua: [hasHadLua, createGroupLua],
  keys: stream,
  args: ['group', 'from', 'makeStream', 'seen'],
  reply: (reply) => (integer(reply) < 0 ? undefined : integer(reply) === 1),
  repeat: 'idempotent',
  unchanged: false,
})

export const pendingRange = defineScript('stream/pending-range', {
  lua: pendingRangeLua,
  keys: stream,
  args: ['...range'],
  reply: replies.messages,
  repeat: 'safe',
})

/** What it has delivered stays pending at the consumer. */
export const readNew = defineScript('stream/read-new', {
  lua: readNewLua,
  keys: stream,
  args: ['group', 'consumer', 'count'],
  reply: packedMessages,
  repeat: 'counting',
})

/** What it has delivered stays pending at the consumer. */
export const takeOwn = defineScript('stream/take-own', {
  lua: [...ofConsumer, takeOwnLua],
  keys: stream,
  args: ['group', 'consumer', 'most', '...ids'],
  reply: replies.taken,
  repeat: 'counting',
})

/** What it has delivered stays pending at the consumer. */
export const takeIdle = defineScript('stream/take-idle', {
  lua: [pendingAtLua, takeIdleLua],
  keys: stream,
  args: ['group', 'consumer', 'most', 'idleMs', 'from', 'count'],
  reply: takenPage(),
  repeat: 'counting',
})

/** A copy finds that the message is not pending any more. */
export const moveToDeadLetters = defineScript('stream/move-to-dead-letters', {
  lua: [...ofConsumer, moveToDeadLettersLua],
  keys: ['stream', 'target'],
  args: ['group', 'consumer', 'id', '...reason'],
  reply: replies.done,
  repeat: 'idempotent',
})

/** A late copy would give back a message that was delivered again to the same consumer, and count fewer deliveries of it. */
export const giveBack = defineScript('stream/give-back', {
  lua: [...ofConsumer, giveBackLua],
  keys: stream,
  args: ['group', 'consumer', 'idleMs', '...deliveries'],
  reply: replies.done,
  repeat: 'counting',
})

/** The messages that are not pending at the consumer. */
export const keep = defineScript('stream/keep', {
  lua: [...ofConsumer, keepLua],
  keys: stream,
  args: ['group', 'consumer', '...ids'],
  reply: list(text),
  repeat: 'idempotent',
})

export const leave = defineScript('stream/leave', {
  lua: leaveLua,
  keys: stream,
  args: ['group', 'consumer'],
  reply: replies.done,
  repeat: 'idempotent',
})

/** Where a search goes on, and what it has found. */
function takenPage(): Decoder<replies.Taken & { readonly next: string }> {
  const page = tuple(text)
  return (reply) => {
    const [next] = page(reply)
    const [, ...taken] = reply as readonly Reply[]
    return { next, ...replies.taken(taken) }
  }
}
