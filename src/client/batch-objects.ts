import type { RBatch } from '../services/batch/batch.api.js'
import { EntryRooms } from '../collections/shared/entry-objects.js'
import { SharedServices } from '../core/context/factories.js'
import type { LockContext, ObjectContext } from '../core/context/object-context.js'
import { IdBlocks } from '../counters/id-generator/id-blocks.js'
import { NotInBatchError } from '../errors/batch-errors.js'
import { DataObjects } from './data-objects.js'
import { Objects } from './objects.js'

/** Locks and synchronizers need the reply to one request before the next. */
const NO_ROOMS: Pick<EntryRooms, keyof EntryRooms> = {
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
 * @param ofClient - what the objects of the client share
 */
export function batchObjects(
  context: ObjectContext,
  watched: <T extends object>(object: T) => T,
  ofClient: SharedServices<LockContext>,
): RBatch {
  const shared = new SharedServices(context)
  shared.add(EntryRooms, NO_ROOMS)
  shared.add(IdBlocks, ofClient.get(IdBlocks))
  return new Proxy(new DataObjects({ context, shared }), {
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
