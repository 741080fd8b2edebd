import type { ServiceObjects } from '../services.api.js'
import { EntryRooms } from '../../collections/shared/entry-objects.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { Elections } from './elections.js'

/** How a client makes one. */
export const getLeaderElection: Factory<ServiceObjects['getLeaderElection'], LockContext> = (
  { shared },
  name,
  settings,
) => shared.get(Elections).get(shared.get(EntryRooms).locks, name, settings)
