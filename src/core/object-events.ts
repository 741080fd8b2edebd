import type { ObjectEvent, ObjectListener } from '../api/object.js'
import type { ListenOptions, Subscription } from '../topics/shared/subscription.api.js'
import { defineCommand } from '../command/operation/command.js'
import { pairs, text } from '../command/operation/replies.js'
import { NotificationsDisabledError } from '../errors/object-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import { listenTo } from '../pubsub/channel-subscription.js'
import { inspectWord } from '../util/inspect-short.js'
import { warnOnce } from '../util/warn-once.js'
import { databaseOf } from './context/database.js'
import type { ObjectContext } from './context/object-context.js'

/** What an event of an object is to Redis. */
export interface EventSource {
  /** What Redis calls it. */
  readonly names: readonly string[]
  /** The class of events that it belongs to, as a flag of `notify-keyspace-events`. */
  readonly flag: 'g' | 'x' | '$' | 'h' | 'l' | 's' | 'z' | 't'
}

/** The events of an object, by the names that the program has for them. */
export type EventSources = Readonly<Record<string, EventSource>>

/** The events of any object. */
export const OBJECT_EVENTS: Readonly<Record<ObjectEvent, EventSource>> = {
  deleted: { names: ['del'], flag: 'g' },
  expired: { names: ['expired'], flag: 'x' },
}

/** An object, and which of its events is meant. */
export interface ListenedObject {
  readonly name: string
  readonly key: string
  readonly event: string
  readonly sources: EventSources
}

const SETTING = 'notify-keyspace-events'

/** The name and the value of each setting that matches. */
const configGet = defineCommand('CONFIG GET', {
  keys: [],
  args: ['setting'],
  reply: pairs(text, text),
  repeat: 'safe',
})

/**
 * Listens to an event of an object, at the channel of its key.
 *
 * @throws `RangeError` for an event that such an object does not have
 * @throws {@link NotificationsDisabledError} if the server does not tell of it
 */
export async function listenToObject(
  context: ObjectContext,
  object: ListenedObject,
  listener: ObjectListener,
  options: ListenOptions,
): Promise<Subscription> {
  const { name, key } = object
  const source = sourceOf(object)
  context.closing.throwIfAborted()
  await demandNotifications(context, object, source)
  const channel = {
    kind: 'plain',
    name: `__keyspace@${String(databaseOf(context.config))}__:${key}`,
  } as const
  const receive = (said: string) => (source.names.includes(said) ? listener(name) : undefined)
  return await listenTo(context, channel, { decode: String, receive }, options)
}

function sourceOf({ event, sources }: ListenedObject): EventSource {
  const source = typeof event === 'string' && Object.hasOwn(sources, event) ? sources[event] : undefined
  if (source !== undefined) return source
  const all = Object.keys(sources).join(', ')
  throw new RangeError(`Expected \`event\` to be one of ${all}, got ${inspectWord(event)}`)
}

/** Where the settings cannot be read, the subscription is made all the same. */
async function demandNotifications(
  { executor }: ObjectContext,
  { name: object, event }: ListenedObject,
  { flag }: EventSource,
): Promise<void> {
  const configured = await flagsOf(executor)
  if (configured === undefined) {
    const message = `The server does not tell its settings: events of objects arrive only if ${SETTING} has K${flag}.`
    warnOnce('REDISSON_NOTIFICATIONS_UNKNOWN', flag, message)
    return
  }
  const tells = configured.includes('K') && (configured.includes(flag) || configured.includes('A'))
  if (!tells) throw new NotificationsDisabledError({ object, event, needed: `K${flag}`, configured })
}

async function flagsOf(executor: ObjectContext['executor']): Promise<string | undefined> {
  try {
    const settings = await executor.run(configGet, { keys: {}, args: { setting: SETTING } })
    return settings.find(([name]) => name === SETTING)?.[1]
  } catch (error) {
    if (isRedissonError(error, 'COMMAND')) return undefined // a user may not ask, and some services do not answer
    throw error
  }
}
