import { boolean } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import compareAndDeleteLua from './compare-and-delete.lua'
import compareAndSetLua from './compare-and-set.lua'

/** Whether the value was set (1). */
export const compareAndSet = defineScript('bucket/compare-and-set', {
  lua: compareAndSetLua,
  keys: ['bucket'],
  args: ['value', 'expected'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether the value was removed (1). */
export const compareAndDelete = defineScript('bucket/compare-and-delete', {
  lua: compareAndDeleteLua,
  keys: ['bucket'],
  args: ['expected'],
  reply: boolean,
  repeat: 'counting',
})
