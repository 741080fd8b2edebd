import listValuesLua from './lua/list-values.lua'
import { scriptsOfValues } from './multimap.scripts.js'

export const ofValues = scriptsOfValues('list-multimap', listValuesLua)

export const { sizeOfPage, containsValue, removeValues, take, replace, fastReplace } = ofValues
