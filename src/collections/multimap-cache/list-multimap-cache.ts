import type { RListMultimapCache } from './multimap-cache.api.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectKeys } from '../../core/redisson-object.js'
import { RedissonListMultimap } from '../multimap/list-multimap.js'
import type { MultimapSettings } from '../multimap/multimap-options.js'
import type { EntryRooms } from '../shared/entry-objects.js'
import { endingKeys, expireKey, expiringContext } from './key-ends.js'
import type { MultimapCacheCleaning } from './multimap-cache-cleaning.js'
import { ofAllKeys, ofExpiry } from './multimap-cache.scripts.js'

/** A multimap whose keys end, and whose values of a key are a list. */
export class RedissonListMultimapCache<K, V>
  extends RedissonListMultimap<K, V>
  implements RListMultimapCache<K, V>
{
  static {
    refuseSurplus(this, { expireKey: 'the time is a number of milliseconds' })
  }

  constructor(
    context: ObjectContext,
    name: string,
    settings: MultimapSettings<K, V>,
    { rooms, cleaning }: { readonly rooms: EntryRooms; readonly cleaning: MultimapCacheCleaning },
  ) {
    super(expiringContext(context, name, 'list', cleaning), name, settings, rooms)
  }

  async expireKey(key: K, ttlMs: number): Promise<boolean> {
    return await expireKey(this.requests, 'list', this.entryBytes(key), ttlMs)
  }

  protected override get scripts(): typeof ofAllKeys {
    return ofAllKeys
  }

  protected override get expiryScripts(): typeof ofExpiry {
    return ofExpiry
  }

  protected override keysOf(key: string): ObjectKeys {
    const { prefix, ends } = endingKeys(key, 'list')
    return [key, prefix, ends]
  }
}
