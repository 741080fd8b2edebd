import { integer, list, text, tuple } from '../../command/operation/replies.js'
import { defineScript } from '../../command/operation/script.js'
import rememberLua from '../../core/lua/remember.lua'
import tookEffectLua from '../../core/lua/took-effect.lua'
import restOfLua from '../../core/lua/rest-of.lua'
import serverTimeLua from '../../core/lua/server-time.lua'
import { acquired, released } from '../shared/engine/acquire-reply.js'
import countAfterLua from '../reentrant/lua/count-after.lua'
import readAcquireLua from './read-lock/acquire.lua'
import readAcquireBesideLua from './read-lock/acquire-beside.lua'
import dropLatestLua from './read-lock/drop-latest.lua'
import dropShortestLua from './read-lock/drop-shortest.lua'
import leaveReaderLua from './read-lock/leave-reader.lua'
import readReleaseLua from './read-lock/release.lua'
import readReleaseSomeLua from './read-lock/release-some.lua'
import readReletLua from './read-lock/relet.lua'
import readRenewLua from './read-lock/renew.lua'
import renewMarkerLua from './read-lock/renew-marker.lua'
import renewReaderLua from './read-lock/renew-reader.lua'
import forceReleaseLua from './force-release.lua'
import holderOfLua from './holder-of.lua'
import inspectLua from './inspect.lua'
import readersLua from './readers.lua'
import undoLua from './undo.lua'
import waitingWritersLua from './waiting-writers.lua'
import writeAcquireLua from './write-lock/acquire.lua'
import writeAcquireAgainLua from './write-lock/acquire-again.lua'
import keepWaitingLua from './write-lock/keep-waiting.lua'
import leaveWriterLua from './write-lock/leave-writer.lua'
import writeReleaseLua from './write-lock/release.lua'
import writeReleaseSomeLua from './write-lock/release-some.lua'
import stopWaitingLua from './write-lock/stop-waiting.lua'

/** The writers who wait, by the server's clock. */
const waitingWriters = [serverTimeLua, waitingWritersLua]

const acquiring = {
  keys: ['lock', 'request', 'markers', 'writers'],
  args: ['leaseMs', 'owner', 'holds', 'stale', 'preferWriter', 'patienceMs'],
  reply: acquired,
  repeat: 'counting',
} as const

/** Whether the lock was taken (1), then the reader's hold count; or else how long the writer still may have it. */
export const acquireRead = defineScript('read-lock/acquire', {
  first: readAcquireLua,
  lua: [rememberLua, countAfterLua, readersLua, ...waitingWriters, holderOfLua, readAcquireBesideLua],
  ...acquiring,
})

/** Whether the lock was taken (1), then the writer's hold count; or else how long those who have it still may. */
export const acquireWrite = defineScript('write-lock/acquire', {
  first: writeAcquireLua,
  lua: [rememberLua, countAfterLua, readersLua, ...waitingWriters, holderOfLua, writeAcquireAgainLua],
  ...acquiring,
})

/** The holds that remain; -1 if there were none. */
export const releaseRead = defineScript('read-lock/release', {
  first: readReleaseLua,
  lua: [rememberLua, countAfterLua, readersLua, dropShortestLua, leaveReaderLua, readReleaseSomeLua],
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['owner', 'holds', 'stale', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** The holds that remain (-1: there were none), and how many clients heard that the writer has gone. */
export const releaseWrite = defineScript('write-lock/release', {
  first: writeReleaseLua,
  lua: [rememberLua, countAfterLua, readersLua, leaveWriterLua, writeReleaseSomeLua],
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['owner', 'holds', 'stale', 'leaseMs', 'publish'],
  reply: released,
  repeat: 'counting',
})

const undoing = {
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  repeat: 'counting',
} as const

/** Whether there was anything to release (1). */
export const undoRead = defineScript('read-lock/undo', {
  lua: [rememberLua, tookEffectLua, readersLua, dropLatestLua, leaveReaderLua, undoLua],
  ...undoing,
})

/** Whether there was anything to release (1). */
export const undoWrite = defineScript('write-lock/undo', {
  lua: [rememberLua, tookEffectLua, readersLua, leaveWriterLua, undoLua],
  ...undoing,
})

/** Whether the reader holds the lock (1). */
export const reletRead = defineScript('read-lock/relet', {
  lua: [readersLua, readReletLua],
  keys: ['lock', 'channel', 'markers'],
  args: ['owner', 'leaseMs', 'publish'],
  reply: integer,
  repeat: 'idempotent',
})

/** In order, whether each reader still holds its lock (1). */
export const renewRead = defineScript('read-lock/renew', {
  lua: [restOfLua, readersLua, readRenewLua],
  keys: ['...locksAndMarkers'],
  args: ['leaseMs', '...owners'],
  reply: list(integer),
  repeat: 'idempotent',
})

/** How many holds a reader has, without a look at what proves them. */
export const renewReader = defineScript('read-lock/renew-reader', {
  lua: renewReaderLua,
  keys: ['lock'],
  args: ['leaseMs', 'owner'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether a reader's hold still lasts (1). */
export const renewMarker = defineScript('read-lock/renew-marker', {
  lua: renewMarkerLua,
  keys: ['marker'],
  args: ['leaseMs'],
  reply: integer,
  repeat: 'idempotent',
})

/** Whether the lock was held in that mode (1). */
export const forceRelease = defineScript('read-write-lock/force-release', {
  lua: [rememberLua, readersLua, forceReleaseLua],
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['mode', 'message', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** The time left in milliseconds (-2: it is not held in that mode), some holder, and the owner's hold count. */
export const inspect = defineScript('read-write-lock/inspect', {
  lua: [readersLua, inspectLua],
  keys: ['lock', 'markers'],
  args: ['owner', 'mode'],
  reply: tuple(integer, text, integer),
  repeat: 'safe',
})

/** In order, whether each writer still counts as waiting (1). */
export const keepWaiting = defineScript('write-lock/keep-waiting', {
  lua: [restOfLua, ...waitingWriters, keepWaitingLua],
  keys: ['...waiting'],
  args: ['patienceMs', '...owners'],
  reply: list(integer),
  repeat: 'idempotent',
})

export const stopWaiting = defineScript('write-lock/stop-waiting', {
  lua: [rememberLua, stopWaitingLua],
  keys: ['lock', 'request', 'channel', 'writers'],
  args: ['owner', 'publish'],
  reply: integer,
  repeat: 'counting',
})
