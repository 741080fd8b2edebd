import type { ServiceObjects } from '../services.api.js'
import { keyOf } from '../../core/arguments/arguments.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { Marks } from './marks.js'
import { RedissonOnce } from './once.js'

/** How a client makes one. */
export const getOnce: Factory<ServiceObjects['getOnce'], LockContext> = (
  { context, shared },
  name,
  settings,
) => new RedissonOnce(shared.get(Marks), { name, key: keyOf(context, name), settings })
