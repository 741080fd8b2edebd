import { bytes, integer, nullable } from '../command/operation/replies.js'
import { defineScript } from '../command/operation/script.js'
import restOfLua from './lua/rest-of.lua'
import copyLua from './lua/object/copy.lua'
import deleteLua from './lua/object/delete.lua'
import dumpLua from './lua/object/dump.lua'
import existsLua from './lua/object/exists.lua'
import givenKeysLua from './lua/object/given-keys.lua'
import idleTimeLua from './lua/object/idle-time.lua'
import moveLua from './lua/object/move.lua'
import otherKindLua from './lua/object/other-kind.lua'
import ownNameLua from './lua/object/own-name.lua'
import renameLua from './lua/object/rename.lua'
import restoreLua from './lua/object/restore.lua'
import sizeLua from './lua/object/size.lua'
import touchLua from './lua/object/touch.lua'
import wakeWaitersLua from './lua/object/wake-waiters.lua'

/**
 * The scripts that are about all keys of an object.
 *
 * @param family - what their names begin with
 * @param otherKeysLua - finds all keys but the first, by `otherKeys()`
 * @param wakeLua - notifies waiters of a change, by `wakeWaiters()`
 */
export function scriptsOfAllKeys(family: string, otherKeysLua: string, wakeLua = wakeWaitersLua) {
  const changing = [restOfLua, otherKindLua, otherKeysLua, ownNameLua, wakeLua]
  const looking = [restOfLua, otherKindLua, otherKeysLua, ownNameLua]
  return {
    /** Whether the object was there (1). */
    remove: defineScript(`${family}/delete`, {
      lua: [...changing, deleteLua],
      keys: ['object', '...others'],
      args: ['command', 'kind', 'channel', 'message', 'publish'],
      reply: integer,
      repeat: 'counting',
    }),
    /** Whether the object is there (1). */
    touch: defineScript(`${family}/touch`, {
      lua: [...looking, touchLua],
      keys: ['object', '...others'],
      args: ['kind'],
      reply: integer,
      repeat: 'idempotent',
    }),
    /** How many bytes of memory the object takes. */
    size: defineScript(`${family}/size`, {
      lua: [...looking, sizeLua],
      keys: ['object', '...others'],
      args: ['kind'],
      reply: integer,
      repeat: 'safe',
    }),
    /** Whether the object was renamed (1), the name is taken (0), or the object is not there (-1). */
    rename: defineScript(`${family}/rename`, {
      lua: [...changing, renameLua],
      keys: ['object', 'target', '...others'],
      args: ['onlyIfFree', 'kind', 'channel', 'newChannel', 'message', 'publish'],
      reply: integer,
      repeat: 'counting',
    }),
    /** Whether the object was copied (1). */
    copy: defineScript(`${family}/copy`, {
      lua: [...changing, copyLua],
      keys: ['object', 'target', '...others'],
      args: ['database', 'home', 'replace', 'kind', 'newChannel', 'message', 'publish'],
      reply: integer,
      repeat: 'counting',
    }),
    /** Whether the object was moved (1). */
    move: defineScript(`${family}/move`, {
      lua: [...changing, moveLua],
      keys: ['object', '...others'],
      args: ['database', 'home', 'kind', 'channel', 'message', 'publish'],
      reply: integer,
      repeat: 'counting',
    }),
  }
}

export type ScriptsOfAllKeys = ReturnType<typeof scriptsOfAllKeys>

/** Where the object says which its other keys are. */
export const ofAllKeys = scriptsOfAllKeys('object', givenKeysLua)

export const { remove, touch, size, rename, copy, move } = ofAllKeys

/** Whether the object is there (1). */
export const exists = defineScript('object/exists', {
  lua: [restOfLua, otherKindLua, existsLua],
  keys: ['object', '...others'],
  args: ['kind'],
  reply: integer,
  repeat: 'safe',
})

/** What is at the key; undefined if the object is not there. */
export const dump = defineScript('object/dump', {
  lua: [otherKindLua, dumpLua],
  keys: ['object'],
  args: ['kind'],
  reply: nullable(bytes),
  repeat: 'safe',
})

/** Whether the object was restored (1). */
export const restore = defineScript('object/restore', {
  lua: [restOfLua, otherKindLua, wakeWaitersLua, restoreLua],
  keys: ['object', '...ends'],
  args: ['state', 'ttlMs', 'replace', 'kind', 'channel', 'message', 'publish'],
  reply: integer,
  repeat: 'counting',
})

/** For how many seconds nothing has used the object; undefined if it is not there. */
export const idleTime = defineScript('object/idle-time', {
  lua: [otherKindLua, idleTimeLua],
  keys: ['object'],
  args: ['kind'],
  reply: nullable(integer),
  repeat: 'safe',
})
