import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonBackedMap } from './backed-map.js'
import { WriteBehinds } from './behind/write-behinds.js'
import { Computations } from './computations.js'
import { mapSettings } from './map-options.js'
import { RedissonMap } from './map.js'

/** How a client and a batch make one. */
export const getMap: Factory<CollectionObjects['getMap']> = ({ context, shared }, name, options) => {
  const { backing, ...settings } = mapSettings(options, context)
  const services = {
    rooms: shared.get(EntryRooms),
    computations: shared.get(Computations),
    behind: shared.get(WriteBehinds),
  }
  return backing === undefined
    ? new RedissonMap(context, name, settings, services)
    : new RedissonBackedMap(context, name, { ...settings, backing }, services)
}
