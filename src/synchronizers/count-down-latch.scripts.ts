import { integer } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import numberAtLua from '../core/lua/number-at.lua'
import rememberLua from '../core/lua/request/remember.lua'
import countDownLua from './lua/count-down-latch/count-down.lua'
import countLua from './lua/count-down-latch/count.lua'
import deleteLua from './lua/count-down-latch/delete.lua'
import trySetCountLua from './lua/count-down-latch/try-set-count.lua'

const counting = [rememberLua, numberAtLua]

/** Whether the count was set (1). */
export const trySetCount = defineScript('count-down-latch/try-set-count', {
  lua: [...counting, trySetCountLua],
  keys: ['latch', 'channel', 'request'],
  args: ['count', 'publish'],
  reply: integer,
  counts: true,
})

/** The count that is left. */
export const countDown = defineScript('count-down-latch/count-down', {
  lua: [...counting, countDownLua],
  keys: ['latch', 'channel', 'request'],
  args: ['publish'],
  reply: integer,
  counts: true,
})

/** The count. */
export const count = defineScript('count-down-latch/count', {
  lua: [numberAtLua, countLua],
  keys: ['latch'],
  args: [],
  reply: integer,
  counts: false,
})

/** Whether there was a count (1). */
export const remove = defineScript('count-down-latch/delete', {
  lua: [...counting, deleteLua],
  keys: ['latch', 'channel', 'request'],
  args: ['publish'],
  reply: integer,
  counts: true,
})
