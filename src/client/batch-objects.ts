import type { RBatch } from '../api/services/batch.js'
import type { EntryRooms } from '../collections/shared/entry-objects.js'
import type { ObjectContext } from '../core/object-context.js'
import type { IdBlocks } from '../counters/id-generator/id-blocks.js'
import { NotInBatchError } from '../errors/batch-errors.js'
import { DataObjects } from './data-objects.js'
import { Objects } from './objects.js'

/** Locks and synchronizers need the reply to one request before the next. */
const NO_ROOMS: EntryRooms = {
  get locks(): never {
    throw new NotInBatchError('The lock of an entry')
  },
  get synchronizers(): never {
    throw new NotInBatchError('A synchronizer of an entry')
  },
}

/**
 * Hands out the objects of a batch: those of the client that are data, over another context.
 *
 * @param watched - makes an object one whose methods belong to the batch
 * @param idBlocks - the ids that the client has taken
 */
export function batchObjects(
  context: ObjectContext,
  watched: <T extends object>(object: T) => T,
  idBlocks: IdBlocks,
): RBatch {
  return new Proxy(new DataObjects(context, NO_ROOMS, idBlocks), {
    get: (objects, name) => {
      const value: unknown = Reflect.get(objects, name, objects)
      if (name in Object.prototype) return value
      if (typeof value === 'function')
        return (...args: readonly unknown[]) => watched(Reflect.apply(value, objects, args) as object)
      return name in Objects.prototype ? () => refuse(String(name)) : value
    },
  })
}

function refuse(name: string): never {
  throw new NotInBatchError(`${name}()`)
}
