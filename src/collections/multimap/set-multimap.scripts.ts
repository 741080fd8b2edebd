import { scriptsOfValues } from './multimap.scripts.js'
import setValuesLua from './set-values.lua'

export const { sizeOfPage, containsValue, removeValues, take, replace, fastReplace } = scriptsOfValues(
  'set-multimap',
  setValuesLua,
)
