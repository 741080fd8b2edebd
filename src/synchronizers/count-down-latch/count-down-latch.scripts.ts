import { integer } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import numberAtLua from '../../core/lua/number-at.lua'
import rememberLua from '../../core/lua/remember.lua'
import countDownLua from './count-down.lua'
import countLua from './count.lua'
import trySetCountLua from './try-set-count.lua'

const counting = [rememberLua, numberAtLua]

/** Whether the count was set (1). */
export const trySetCount = defineScript('count-down-latch/try-set-count', {
  lua: [...counting, trySetCountLua],
  keys: ['latch', 'channel', 'request'],
  args: ['count', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** The count that is left. */
export const countDown = defineScript('count-down-latch/count-down', {
  lua: [...counting, countDownLua],
  keys: ['latch', 'channel', 'request'],
  args: ['publish'],
  reply: integer,
  repeat: 'counting',
})

/** The count. */
export const count = defineScript('count-down-latch/count', {
  lua: [numberAtLua, countLua],
  keys: ['latch'],
  args: [],
  reply: integer,
  repeat: 'safe',
})
