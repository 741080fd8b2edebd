import { boolean, bytes, list, nullable, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import nextPageLua from '../shared/next-page.lua'
import pageByScanLua from '../shared/page-by-scan.lua'
import retainAllLua from '../shared/retain-all.lua'
import contentsLua from './contents.lua'
import readAllLua from './read-all.lua'
import tryAddLua from './try-add.lua'

const set = ['set'] as const

/** All values; undefined if there are too many. */
export const readAll = defineScript('set/read-all', {
  lua: readAllLua,
  keys: set,
  args: ['most'],
  reply: nullable(list(bytes)),
  repeat: 'safe',
})

/** Whether the values were added (1). A copy of it would add them again where another client has removed them meanwhile. */
export const tryAdd = defineScript('set/try-add', {
  lua: [inPartsLua, tryAddLua],
  keys: set,
  args: ['...values'],
  reply: boolean,
  repeat: 'counting',
})

/** Whether any value was removed (1); undefined if there are too many. A copy of it that finds no other value cannot know who has removed them. */
export const retainAll = defineScript('set/retain-all', {
  lua: [restOfLua, inPartsLua, contentsLua, retainAllLua],
  keys: set,
  args: ['most', '...kept'],
  reply: nullable(boolean),
  repeat: 'idempotent',
  unchanged: false,
})

/** The next cursor, and the values of a page that no other client gets. */
export const nextPage = defineScript('set/next-page', {
  lua: [restOfLua, pageByScanLua, nextPageLua],
  keys: ['set', 'cursor'],
  args: ['count', 'keptSeconds', '...source'],
  reply: tuple(text, list(bytes)),
  repeat: 'counting',
})
