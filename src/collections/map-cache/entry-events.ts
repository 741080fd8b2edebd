import type { MapCacheEvent, MapCacheEventName, MapCacheListener } from './map-cache.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import { mapCacheChannel } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { listenTo } from '../../pubsub/channel-subscription.js'
import type { EntryCodec } from '../map/entry-codec.js'
import { partsOf } from '../shared/event-parts.js'

/** What Redisson calls them. */
const NAMES: Readonly<Record<MapCacheEventName, string>> = {
  entryCreated: 'created',
  entryUpdated: 'updated',
  entryRemoved: 'removed',
  entryExpired: 'expired',
}

/** Whether it is an event of entries, and not of the whole object. */
export function isEntryEvent(event: unknown): event is MapCacheEventName {
  return typeof event === 'string' && Object.hasOwn(NAMES, event)
}

/** Listens to an event of the entries of a cache, once its changes are published. */
export async function listenToEntries<K, V>(
  context: ObjectContext,
  { key, codec, event }: { key: string; codec: EntryCodec<K, V>; event: MapCacheEventName },
  listener: MapCacheListener<K, V>,
  options: ListenOptions,
): Promise<Subscription> {
  const kind = context.subscriptions.announcements ?? 'plain' // known, since something was sent
  const channel = { kind, name: mapCacheChannel(key, NAMES[event]) } as const
  const decode = (message: Buffer): MapCacheEvent<K, V> => eventOf(event, message, codec)
  return await listenTo(context, channel, { decode, receive: listener }, options)
}

function eventOf<K, V>(
  type: MapCacheEventName,
  message: Buffer,
  codec: EntryCodec<K, V>,
): MapCacheEvent<K, V> {
  const [keyBytes, valueBytes, oldBytes] = partsOf(message)
  if (keyBytes === undefined || valueBytes === undefined)
    throw new RangeError('Expected a key and a value in an event of a map cache, got less')
  const [key, value] = codec.decodeEntry([keyBytes, valueBytes])
  return oldBytes === undefined
    ? { type, key, value }
    : { type, key, value, oldValue: codec.decodeValue(oldBytes, key) }
}
