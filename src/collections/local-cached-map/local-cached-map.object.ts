import type { LocalCachedMapObjects } from './local-cached-map.api.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { Computations } from '../map/computations.js'
import { Confirmations } from './confirmations.js'
import { localCachedMapSettings } from './local-cached-map-options.js'
import { RedissonLocalCachedMap } from './local-cached-map.js'

/** How a client makes one. */
export const getLocalCachedMap: Factory<LocalCachedMapObjects['getLocalCachedMap'], LockContext> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonLocalCachedMap(context, name, localCachedMapSettings(options, context), {
    rooms: shared.get(EntryRooms),
    computations: shared.get(Computations),
    confirmations: shared.get(Confirmations),
  })
