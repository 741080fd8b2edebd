import { boolean, int64 } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import applyExpiryLua from '../shared/apply-expiry.lua'
import comparesLua from '../shared/compares.lua'
import deleteIfLua from '../shared/delete-if.lua'
import setIfLua from '../shared/set-if.lua'
import valueAtLua from '../shared/value-at.lua'
import incrementLua from './increment.lua'
import integersLua from './integers.lua'

const comparing = [integersLua, valueAtLua, comparesLua]

/** Whether the value was set (1). */
export const setIf = defineScript('atomic-long/set-if', {
  lua: [...comparing, setIfLua],
  keys: ['counter'],
  args: ['value', 'comparison', 'limit'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether the counter was removed (1). */
export const deleteIf = defineScript('atomic-long/delete-if', {
  lua: [...comparing, deleteIfLua],
  keys: ['counter'],
  args: ['comparison', 'limit'],
  reply: boolean,
  repeat: 'counting',
})

/** The value afterwards. */
export const increment = defineScript('atomic-long/increment', {
  lua: [integersLua, valueAtLua, applyExpiryLua, incrementLua],
  keys: ['counter'],
  args: ['delta', 'least', 'most', 'lower', 'upper', 'saturate', 'expiry', 'time', 'ifNotSet'],
  reply: int64,
  repeat: 'counting',
})
