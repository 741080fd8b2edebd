import type { RListMultimapCacheNative } from './multimap-cache-native.api.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { Linking } from '../multimap/linked.js'
import { RedissonListMultimap } from '../multimap/list-multimap.js'
import { fastRemove, ofExpiry } from './multimap-cache-native.scripts.js'
import { expireKey, NATIVE } from './native-keys.js'

/** A multimap whose keys end by the server itself, and whose values of a key are a list. */
export class RedissonListMultimapCacheNative<K, V>
  extends RedissonListMultimap<K, V>
  implements RListMultimapCacheNative<K, V>
{
  static {
    refuseSurplus(this, { expireKey: 'the time is a number of milliseconds' })
  }

  async expireKey(key: K, ttlMs: number): Promise<boolean> {
    return await expireKey(this.requests, this.entryBytes(key), ttlMs)
  }

  protected override get linking(): Linking {
    return NATIVE
  }

  protected override get fastRemoveScript(): typeof fastRemove {
    return fastRemove
  }

  protected override get expiryScripts(): typeof ofExpiry {
    return ofExpiry
  }
}
