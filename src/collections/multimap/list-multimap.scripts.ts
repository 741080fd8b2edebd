import listValuesLua from './list-values.lua'
import { scriptsOfValues } from './multimap.scripts.js'

export const { sizeOfPage, containsValue, removeValues, take, replace, fastReplace } = scriptsOfValues(
  'list-multimap',
  listValuesLua,
)
