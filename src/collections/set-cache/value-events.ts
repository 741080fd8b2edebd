import type { SetCacheEvent, SetCacheListener } from './set-cache.api.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import { setCacheChannel } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { listenTo } from '../../pubsub/channel-subscription.js'
import { partsOf } from '../shared/event-parts.js'
import type { ValueCodec } from '../shared/value-codec.js'

/** The event of a value, and not of the whole object. */
export const VALUE_EXPIRED = 'valueExpired'

/** Listens to the ends of the values of a cache, of which something was asked before. */
export async function listenToValues<V>(
  context: ObjectContext,
  { key, codec }: { key: string; codec: ValueCodec<V> },
  listener: SetCacheListener<V>,
  options: ListenOptions,
): Promise<Subscription> {
  const kind = context.subscriptions.announcements ?? 'plain' // known, since something was sent
  const decode = (message: Buffer): SetCacheEvent<V> => eventOf(message, codec)
  return await listenTo(context, { kind, name: setCacheChannel(key) }, { decode, receive: listener }, options)
}

function eventOf<V>(message: Buffer, codec: ValueCodec<V>): SetCacheEvent<V> {
  const [bytes] = partsOf(message)
  if (bytes === undefined) throw new RangeError('Expected a value in an event of a set cache, got none')
  return { type: VALUE_EXPIRED, value: codec.decode(bytes) }
}
