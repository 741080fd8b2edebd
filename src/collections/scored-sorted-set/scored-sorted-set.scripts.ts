import {
  boolean,
  bytes,
  double,
  integer,
  list,
  nullable,
  pairs,
  text,
  tuple,
} from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import nextPageLua from '../shared/next-page.lua'
import pageByScanLua from '../shared/page-by-scan.lua'
import retainAllLua from '../shared/retain-all.lua'
import addAllAndGetRevRankLua from './lua/add-all-and-get-rev-rank.lua'
import addAndGetRankLua from './lua/add-and-get-rank.lua'
import addScoreAndGetRankLua from './lua/add-score-and-get-rank.lua'
import contentsLua from './lua/contents.lua'
import pollFromAnyLua from './lua/poll-from-any.lua'
import rankEntryLua from './lua/rank-entry.lua'
import readAllLua from './lua/read-all.lua'
import replaceLua from './lua/replace.lua'
import revRanksLua from './lua/rev-ranks.lua'

const set = ['set'] as const

/** The rank of the value. */
export const addAndGetRank = defineScript('scored-sorted-set/add-and-get-rank', {
  lua: addAndGetRankLua,
  keys: set,
  args: ['rank', 'score', 'value'],
  reply: integer,
  repeat: 'idempotent',
})

/** The rank of the value. */
export const addScoreAndGetRank = defineScript('scored-sorted-set/add-score-and-get-rank', {
  lua: addScoreAndGetRankLua,
  keys: set,
  args: ['rank', 'delta', 'value'],
  reply: integer,
  repeat: 'counting',
})

/** The ranks of the values from behind. */
export const addAllAndGetRevRank = defineScript('scored-sorted-set/add-all-and-get-rev-rank', {
  lua: [inPartsLua, addAllAndGetRevRankLua],
  keys: set,
  args: ['...entries'],
  reply: list(integer),
  repeat: 'idempotent',
})

/** The ranks of the values from behind. */
export const revRanks = defineScript('scored-sorted-set/rev-ranks', {
  lua: revRanksLua,
  keys: set,
  args: ['...values'],
  reply: list(nullable(integer)),
  repeat: 'safe',
})

/** The rank and the score of the value. */
export const rankEntry = defineScript('scored-sorted-set/rank-entry', {
  lua: rankEntryLua,
  keys: set,
  args: ['rank', 'value'],
  reply: nullable(tuple(integer, double)),
  repeat: 'safe',
})

/** Whether the value was there (1). */
export const replace = defineScript('scored-sorted-set/replace', {
  lua: replaceLua,
  keys: set,
  args: ['value', 'replacement'],
  reply: boolean,
  repeat: 'counting',
})

/** Which set it is, and what was removed; undefined if all are empty. */
export const pollFromAny = defineScript('scored-sorted-set/poll-from-any', {
  lua: pollFromAnyLua,
  keys: ['...sets'],
  args: ['pop', 'count'],
  reply: nullable(tuple(integer, pairs(bytes, double))),
  repeat: 'counting',
})

/** The next cursor, and the entries of a page that no other client gets. */
export const nextPage = defineScript('scored-sorted-set/next-page', {
  lua: [restOfLua, pageByScanLua, nextPageLua],
  keys: ['set', 'cursor'],
  args: ['count', 'keptSeconds', '...source'],
  reply: tuple(text, pairs(bytes, double)),
  repeat: 'counting',
})

/** All entries; undefined if there are too many. */
export const readAll = defineScript('scored-sorted-set/read-all', {
  lua: readAllLua,
  keys: set,
  args: ['most'],
  reply: nullable(pairs(bytes, double)),
  repeat: 'safe',
})

/** Whether any was removed (1); undefined if there are too many. A copy that finds nothing to remove cannot know which client has done it. */
export const retainAll = defineScript('scored-sorted-set/retain-all', {
  lua: [restOfLua, inPartsLua, contentsLua, retainAllLua],
  keys: set,
  args: ['most', '...kept'],
  reply: nullable(boolean),
  repeat: 'idempotent',
  unchanged: false,
})
