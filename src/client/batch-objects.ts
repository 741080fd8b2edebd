import type { RBatch } from '../services/batch/batch.api.js'
import { EntryRooms } from '../collections/shared/entry-objects.js'
import { SharedServices } from '../core/context/factories.js'
import type { LockContext, ObjectContext } from '../core/context/object-context.js'
import { IdBlocks } from '../counters/id-generator/id-blocks.js'
import { NotInBatchError } from '../errors/batch-errors.js'
import { DataObjects } from './data-objects.js'
import { Objects } from './objects.js'

/** Locks and synchronizers need the reply to one request before the next. */
function noRooms({ called }: OfBatch): Pick<EntryRooms, keyof EntryRooms> {
  return {
    get locks(): never {
      throw new NotInBatchError(called() ?? 'The lock of an entry')
    },
    get synchronizers(): never {
      throw new NotInBatchError(called() ?? 'A synchronizer of an entry')
    },
  }
}

/** What a batch is made with. */
interface OfBatch {
  /** Makes an object one whose methods belong to the batch. */
  readonly watched: <T extends object>(object: T) => T
  /** The call that asks now, by which what a batch has none of is refused. */
  readonly called: () => string | undefined
}

/**
 * Hands out the objects of a batch: those of the client that are data, over another context.
 *
 * @param ofClient - what the objects of the client share
 */
export function batchObjects(
  context: ObjectContext,
  ofBatch: OfBatch,
  ofClient: SharedServices<LockContext>,
): RBatch {
  const shared = new SharedServices(context)
  shared.add(EntryRooms, noRooms(ofBatch))
  shared.add(IdBlocks, ofClient.get(IdBlocks))
  return new Proxy(new DataObjects({ context, shared }), {
    get: (objects, name) => {
      const value: unknown = Reflect.get(objects, name, objects)
      if (name in Object.prototype) return value
      if (typeof value === 'function')
        return (...args: readonly unknown[]) => ofBatch.watched(Reflect.apply(value, objects, args) as object)
      return name in Objects.prototype ? () => refuse(String(name)) : value
    },
  })
}

function refuse(name: string): never {
  throw new NotInBatchError(`${name}()`)
}
