import { defineCommand } from '../../command/operation/command.js'
import { boolean, bytes, exactText, integer, list, nullable, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import abandonLua from './lua/abandon.lua'
import invalidateLua from './lua/invalidate.lua'
import leadLua from './lua/lead.lua'
import purgeLua from './lua/purge.lua'
import putLua from './lua/put.lua'
import readLua from './lua/read.lua'
import removeLua from './lua/remove.lua'
import renewLua from './lua/renew.lua'
import storeLua from './lua/store.lua'
import tryWriteLua from './lua/try-write.lua'

const both = ['entry', 'mark'] as const
const record = nullable(bytes)

/** The record, for how many milliseconds it lasts, and the times of tags. */
export const read = defineScript('cache/read', {
  lua: [restOfLua, readLua],
  keys: ['entry', '...times'],
  args: [],
  reply: tuple(record, integer, list(record)),
  repeat: 'safe',
})

/** The record, for how many milliseconds it lasts, whose load is under way, and for how many milliseconds its mark lasts. A copy finds its own mark. */
export const lead = defineScript('cache/lead', {
  lua: [tryWriteLua, leadLua],
  keys: both,
  args: ['token', 'leaseMs', 'always'],
  reply: tuple(record, integer, exactText, integer),
  repeat: 'idempotent',
})

/** Whether the load stored its value (1). After a lost reply, a copy may find the mark gone: false then does not mean that nothing was stored. */
export const store = defineScript('cache/store', {
  lua: [tryWriteLua, storeLua],
  keys: both,
  args: ['token', 'record', 'lifeMs', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

export const put = defineScript('cache/put', {
  lua: putLua,
  keys: both,
  args: ['record', 'lifeMs', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'idempotent',
  overwrites: true,
})

/** Whether there was an entry. */
export const remove = defineScript('cache/remove', {
  lua: removeLua,
  keys: both,
  args: ['channel', 'message', 'publish'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

export const purge = defineScript('cache/purge', {
  lua: purgeLua,
  keys: ['entry'],
  args: ['line'],
  reply: integer,
  repeat: 'idempotent',
})

export const abandon = defineScript('cache/abandon', {
  lua: abandonLua,
  keys: ['mark'],
  args: ['token', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

export const renew = defineScript('cache/renew', {
  lua: renewLua,
  keys: ['mark'],
  args: ['token', 'leaseMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** A copy sets a later time, at which some entries are loaded once more. */
export const invalidate = defineScript('cache/invalidate', {
  lua: [serverTimeLua, invalidateLua],
  keys: ['times'],
  args: ['what', 'lifeMs', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

/** When the entries of tags, or all entries, were deleted and expired. */
export const times = defineCommand('MGET', {
  keys: ['...times'],
  args: [],
  reply: list(nullable(bytes)),
  repeat: 'safe',
})
