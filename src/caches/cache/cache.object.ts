import type { CacheObjects } from '../caches.api.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { settingsOf } from './cache-settings.js'
import { Caches } from './caches.js'

/** How a client makes one. */
export const getCache: Factory<CacheObjects['getCache'], LockContext> = (
  { context, shared },
  name,
  options,
) => shared.get(Caches).get(name, settingsOf(name, options, context))
