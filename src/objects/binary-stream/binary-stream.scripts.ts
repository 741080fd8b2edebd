import { integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import appendAtLua from './append-at.lua'
import truncateLua from './truncate.lua'
import writeAtLua from './write-at.lua'

/** How many bytes there were: the chunk was appended if these are as many as the position, or if that was empty. */
export const appendAt = defineScript('binary-stream/append-at', {
  lua: appendAtLua,
  keys: ['bytes'],
  args: ['chunk', 'position'],
  reply: integer,
  repeat: 'counting',
})

/** How many bytes there were: the chunk was written if these are not fewer than `least`. */
export const writeAt = defineScript('binary-stream/write-at', {
  lua: writeAtLua,
  keys: ['bytes'],
  args: ['chunk', 'position', 'least'],
  reply: integer,
  repeat: 'counting',
})

/** How many bytes there are then. */
export const truncate = defineScript('binary-stream/truncate', {
  lua: truncateLua,
  keys: ['bytes'],
  args: ['size'],
  reply: integer,
  repeat: 'idempotent',
})
