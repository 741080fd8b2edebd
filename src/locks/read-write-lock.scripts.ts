import { integer, list, text, tuple } from '../command/replies.js'
import { defineScript } from '../command/script.js'
import rememberLua from '../core/lua/request/remember.lua'
import tookEffectLua from '../core/lua/request/took-effect.lua'
import serverTimeLua from '../core/lua/server-time.lua'
import { acquired } from './acquired.js'
import readAcquireLua from './lua/read-lock/acquire.lua'
import leaveReaderLua from './lua/read-lock/leave-reader.lua'
import readReleaseLua from './lua/read-lock/release.lua'
import readReletLua from './lua/read-lock/relet.lua'
import readRenewLua from './lua/read-lock/renew.lua'
import forceReleaseLua from './lua/read-write-lock/force-release.lua'
import inspectLua from './lua/read-write-lock/inspect.lua'
import readersLua from './lua/read-write-lock/readers.lua'
import undoLua from './lua/read-write-lock/undo.lua'
import waitingWritersLua from './lua/read-write-lock/waiting-writers.lua'
import writeAcquireLua from './lua/write-lock/acquire.lua'
import keepWaitingLua from './lua/write-lock/keep-waiting.lua'
import leaveWriterLua from './lua/write-lock/leave-writer.lua'
import writeReleaseLua from './lua/write-lock/release.lua'
import stopWaitingLua from './lua/write-lock/stop-waiting.lua'

/** The writers who wait, by the server's clock. */
const waitingWriters = [serverTimeLua, waitingWritersLua]

const acquiring = {
  keys: ['lock', 'request', 'markers', 'writers'],
  args: ['leaseMs', 'owner', 'holds', 'preferWriter', 'patienceMs'],
  reply: acquired,
  counts: true,
} as const

/** Whether the lock was taken (1), then the reader's hold count; or else how long the writer still may have it. */
export const acquireRead = defineScript('read-lock/acquire', {
  lua: [rememberLua, readersLua, ...waitingWriters, readAcquireLua],
  ...acquiring,
})

/** Whether the lock was taken (1), then the writer's hold count; or else how long those who have it still may. */
export const acquireWrite = defineScript('write-lock/acquire', {
  lua: [rememberLua, readersLua, ...waitingWriters, writeAcquireLua],
  ...acquiring,
})

/** The holds that remain; -1 if there were none. */
export const releaseRead = defineScript('read-lock/release', {
  lua: [rememberLua, readersLua, leaveReaderLua, readReleaseLua],
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  counts: true,
})

/** The holds that remain; -1 if there were none. */
export const releaseWrite = defineScript('write-lock/release', {
  lua: [rememberLua, readersLua, leaveWriterLua, writeReleaseLua],
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['owner', 'holds', 'leaseMs', 'publish'],
  reply: integer,
  counts: true,
})

const undoing = {
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['owner', 'holds', 'publish'],
  reply: integer,
  counts: true,
} as const

/** Whether there was anything to give back (1). */
export const undoRead = defineScript('read-lock/undo', {
  lua: [rememberLua, tookEffectLua, readersLua, leaveReaderLua, undoLua],
  ...undoing,
})

/** Whether there was anything to give back (1). */
export const undoWrite = defineScript('write-lock/undo', {
  lua: [rememberLua, tookEffectLua, readersLua, leaveWriterLua, undoLua],
  ...undoing,
})

/** Whether the reader holds the lock (1). */
export const reletRead = defineScript('read-lock/relet', {
  lua: [readersLua, readReletLua],
  keys: ['lock', 'markers'],
  args: ['owner', 'leaseMs'],
  reply: integer,
  counts: false,
})

/** In order, whether each reader still holds its lock (1). */
export const renewRead = defineScript('read-lock/renew', {
  lua: [readersLua, readRenewLua],
  keys: ['...locksAndMarkers'],
  args: ['leaseMs', '...owners'],
  reply: list(integer),
  counts: false,
})

/** Whether the lock was held in that mode (1). */
export const forceRelease = defineScript('read-write-lock/force-release', {
  lua: [rememberLua, readersLua, forceReleaseLua],
  keys: ['lock', 'channel', 'request', 'markers'],
  args: ['mode', 'message', 'publish'],
  reply: integer,
  counts: true,
})

/** The time left in milliseconds (-2: nobody holds it in that mode), some holder, and the owner's hold count. */
export const inspect = defineScript('read-write-lock/inspect', {
  lua: [readersLua, inspectLua],
  keys: ['lock'],
  args: ['owner', 'mode'],
  reply: tuple(integer, text, integer),
  counts: false,
})

/** In order, whether each writer still counts as waiting (1). */
export const keepWaiting = defineScript('write-lock/keep-waiting', {
  lua: [...waitingWriters, keepWaitingLua],
  keys: ['...waiting'],
  args: ['patienceMs', '...owners'],
  reply: list(integer),
  counts: false,
})

export const stopWaiting = defineScript('write-lock/stop-waiting', {
  lua: stopWaitingLua,
  keys: ['lock', 'channel', 'writers'],
  args: ['owner', 'publish'],
  reply: integer,
  counts: false,
})
