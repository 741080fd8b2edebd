import { scriptsOfValues } from './multimap.scripts.js'
import setValuesLua from './lua/set-values.lua'

export const ofValues = scriptsOfValues('set-multimap', setValuesLua)

export const { sizeOfPage, containsValue, removeValues, take, replace, fastReplace } = ofValues
