import { boolean, double, nullable } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import applyExpiryLua from '../shared/apply-expiry.lua'
import comparesLua from '../shared/compares.lua'
import deleteIfLua from '../shared/delete-if.lua'
import setIfLua from '../shared/set-if.lua'
import valueAtLua from '../shared/value-at.lua'
import doublesLua from './doubles.lua'
import getAndAddLua from './get-and-add.lua'
import incrementLua from './increment.lua'

const comparing = [doublesLua, valueAtLua, comparesLua]

/** Whether the value was set (1). */
export const setIf = defineScript('atomic-double/set-if', {
  lua: [...comparing, setIfLua],
  keys: ['counter'],
  args: ['value', 'comparison', 'limit'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether the counter was removed (1). */
export const deleteIf = defineScript('atomic-double/delete-if', {
  lua: [...comparing, deleteIfLua],
  keys: ['counter'],
  args: ['comparison', 'limit'],
  reply: boolean,
  repeat: 'counting',
})

/** The value before. */
export const getAndAdd = defineScript('atomic-double/get-and-add', {
  lua: getAndAddLua,
  keys: ['counter'],
  args: ['delta'],
  reply: nullable(double),
  repeat: 'counting',
})

/** The value afterwards. */
export const increment = defineScript('atomic-double/increment', {
  lua: [applyExpiryLua, incrementLua],
  keys: ['counter'],
  args: ['delta', 'lower', 'upper', 'saturate', 'expiry', 'time', 'ifNotSet'],
  reply: double,
  repeat: 'counting',
})
