import type { SynchronizerObjects } from '../synchronizers.api.js'
import { keyOf } from '../../core/arguments/arguments.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { RedissonWorkLimiter, WorkServices } from './work-limiter.js'

/** How a client makes one. */
export const getWorkLimiter: Factory<SynchronizerObjects['getWorkLimiter'], LockContext> = (
  { context, shared },
  name,
  settings,
) => new RedissonWorkLimiter(shared.get(WorkServices), { name, key: keyOf(context, name), settings })
