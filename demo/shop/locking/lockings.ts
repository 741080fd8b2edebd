import type { LockingName } from '../settings.js'
import { compareAndDelete } from './compare-and-delete.js'
import { inProcess } from './in-process.js'
import type { Locking, Tools } from './locking.js'
import { none } from './none.js'
import { rlock } from './rlock.js'
import { setNxPx } from './set-nx-px.js'
import { setnxExpire } from './setnx-expire.js'
import { setnx } from './setnx.js'

/** How each locking is made. */
export const lockings: Readonly<Record<LockingName, (tools: Tools) => Locking | Promise<Locking>>> = {
  none: () => none,
  'in-process': inProcess,
  setnx,
  'setnx-expire': setnxExpire,
  'set-nx-px': setNxPx,
  'compare-and-delete': compareAndDelete,
  rlock,
}
