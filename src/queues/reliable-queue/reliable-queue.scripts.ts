import {
  boolean,
  integer,
  list as listOf,
  safeInteger,
  text,
  tuple,
} from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import inPartsLua from '../../core/lua/in-parts.lua'
import rememberLua from '../../core/lua/remember.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import acknowledgeLua from './lua/acknowledge.lua'
import acknowledgePlainLua from './lua/acknowledge-plain.lua'
import clearLua from './lua/clear.lua'
import countsLua from './lua/counts.lua'
import deadLettersLua from './lua/dead-letters.lua'
import dueLua from './lua/shared/due.lua'
import failLua from './lua/fail.lua'
import failuresLua from './lua/shared/failures.lua'
import forgiveLua from './lua/shared/forgive.lua'
import getLua from './lua/get.lua'
import giveBackLua from './lua/shared/give-back.lua'
import keysLua from './lua/shared/keys.lua'
import keysOnceLua from './lua/shared/keys-once.lua'
import keysTakeLua from './lua/shared/keys-take.lua'
import keysUndoLua from './lua/shared/keys-undo.lua'
import listLua from './lua/list.lua'
import messagesLua from './lua/shared/messages.lua'
import numbersLua from './lua/shared/numbers.lua'
import offerLua from './lua/offer.lua'
import offerReadyLua from './lua/offer-ready.lua'
import ratesLua from './lua/shared/rates.lua'
import redriveLua from './lua/redrive.lua'
import releaseLua from './lua/release.lua'
import removeLua from './lua/remove.lua'
import renewLua from './lua/renew.lua'
import takeLua from './lua/take.lua'
import takeReadyLua from './lua/take-ready.lua'
import undoLua from './lua/undo.lua'
import withdrawLua from './lua/shared/withdraw.lua'
import { deadLetters as deadLettersOf, delivered, found, heldOrCancelled, waiting } from './records.js'

const keys = [
  'records',
  'ready',
  'delayed',
  'leases',
  'dead',
  'grouped',
  'facts',
  'dedups',
  'channel',
] as const

/** With the key under which a script remembers its reply. */
const once = [...keys, 'request'] as const

/** The id of the last message; the negative id of the one that is there, if it was dropped; 0 if there was no room. */
export const offer = defineScript('reliable-queue/offer', {
  first: `${restOfLua}\n${keysLua}\n${offerReadyLua}`,
  lua: [serverTimeLua, inPartsLua, numbersLua, messagesLua, withdrawLua, offerLua],
  keys,
  args: [
    'delayMs',
    'priority',
    'group',
    'dedup',
    'dedupMs',
    'dedupMode',
    'capacity',
    'places',
    'publish',
    '...bodies',
  ],
  reply: safeInteger,
  repeat: 'counting',
})

/** What was delivered, and when there may be more. */
export const take = defineScript('reliable-queue/take', {
  first: `${keysTakeLua}\n${numbersLua}\n${takeReadyLua}`,
  lua: [messagesLua, failuresLua, forgiveLua, dueLua, ratesLua, takeLua],
  keys: [...once, 'rates'],
  args: ['count', 'leaseMs', 'most', 'places', 'space', 'rate', 'undoableMs', 'publish', 'attempt'],
  reply: delivered,
  repeat: 'counting',
})

/** What was undone once is not undone again: a failure would be forgiven that has come later. */
export const undo = defineScript('reliable-queue/undo', {
  first: keysUndoLua,
  lua: [rememberLua, messagesLua, giveBackLua, forgiveLua, undoLua],
  keys: [...once, 'taken'],
  args: ['deliveries', 'places', 'undoneMs', 'space', 'publish'],
  reply: boolean,
  repeat: 'counting',
})

/** For each delivery whether it was held: a text of ones and zeros. */
export const acknowledge = defineScript('reliable-queue/acknowledge', {
  first: `${keysOnceLua}\n${acknowledgePlainLua}`,
  lua: [rememberLua, messagesLua, acknowledgeLua],
  keys: once,
  args: ['members', 'labels', 'places', 'space', 'publish'],
  reply: text,
  repeat: 'counting',
})

/** Whether the delivery was held (1), and its message is a dead letter (2). */
export const fail = defineScript('reliable-queue/fail', {
  first: keysOnceLua,
  lua: [serverTimeLua, rememberLua, messagesLua, failuresLua, failLua],
  keys: once,
  args: ['delivery', 'final', 'reason', 'delayMs', 'most', 'places', 'space', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** Deliveries that have been given back are not held any more. */
export const release = defineScript('reliable-queue/release', {
  first: keysLua,
  lua: [restOfLua, messagesLua, giveBackLua, releaseLua],
  keys,
  args: ['places', 'space', 'publish', '...deliveries'],
  reply: boolean,
  repeat: 'idempotent',
})

/** In order, whether each delivery is held; if its message was cancelled, how long it lasts, and why. */
export const renew = defineScript('reliable-queue/renew', {
  lua: [restOfLua, serverTimeLua, renewLua],
  keys: ['...keys'],
  args: ['leaseMs', '...deliveries'],
  reply: listOf(heldOrCancelled),
  repeat: 'idempotent',
})

/** Whether the message was removed (1), cancelled (2) or neither. */
export const remove = defineScript('reliable-queue/remove', {
  first: keysLua,
  lua: [serverTimeLua, messagesLua, withdrawLua, removeLua],
  keys,
  args: ['id', 'reason', 'graceMs', 'cancels', 'places', 'space', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many were removed. */
export const clear = defineScript('reliable-queue/clear', {
  first: keysLua,
  lua: [messagesLua, withdrawLua, clearLua],
  keys,
  args: ['what', 'count', 'places', 'space', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** How many dead letters there were. */
export const redrive = defineScript('reliable-queue/redrive', {
  first: keysLua,
  lua: [restOfLua, messagesLua, redriveLua],
  keys,
  args: ['count', 'places', 'publish', '...ids'],
  reply: integer,
  repeat: 'counting',
})

/** How many are ready, delayed, in delivery, dead, and wait for a place of their group. */
export const counts = defineScript('reliable-queue/counts', {
  first: keysLua,
  lua: [serverTimeLua, countsLua],
  keys,
  args: [],
  reply: tuple(integer, integer, integer, integer, integer),
  repeat: 'safe',
})

/** A message, and where it is; undefined if it is nowhere. */
export const get = defineScript('reliable-queue/get', {
  first: keysLua,
  lua: [serverTimeLua, messagesLua, getLua],
  keys,
  args: ['id'],
  reply: found,
  repeat: 'safe',
})

/** Messages by where they are. */
export const list = defineScript('reliable-queue/list', {
  first: keysLua,
  lua: listLua,
  keys,
  args: ['state', 'offset', 'count'],
  reply: waiting,
  repeat: 'safe',
})

/** The oldest dead letters. */
export const deadLetters = defineScript('reliable-queue/dead-letters', {
  first: keysLua,
  lua: deadLettersLua,
  keys,
  args: ['offset', 'count'],
  reply: deadLettersOf,
  repeat: 'safe',
})
