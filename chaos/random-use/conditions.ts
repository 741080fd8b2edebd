import type { RedissonOptions } from '../../src/index.js'
import type { Conditions } from './check/breach.js'
import type { RoundPlan } from './mixes.js'
import { cellNameOf, othersFor, resourcesOf } from './objects.js'

/**
 * Where much gets lost, clients give up soon, so that much happens in little time. A connection that has fallen silent is noticed by its
 * pings: messages on it would be missed for longer than a round otherwise.
 */
const IMPATIENT = {
  timeout: 150,
  retryAttempts: 1,
  retryDelay: 30,
  reconnectionDelay: 30,
  pingConnectionInterval: 1_000,
}

/** The settings of a client in a round. */
export function connectionOf(options: RedissonOptions, { faulty, watchdogMs }: RoundPlan): RedissonOptions {
  const sections = Object.entries(options).map(([name, section]) => [
    name,
    { ...(section as object), ...(faulty && IMPATIENT) },
  ])
  return {
    lockWatchdogTimeout: watchdogMs,
    reliableTopicWatchdogTimeout: watchdogMs,
    ...Object.fromEntries(sections),
  } as RedissonOptions
}

/** Under which conditions a round takes place. */
export function conditionsOf({ objects, forced, faulty, turns, closing }: RoundPlan): Conditions {
  const intervals = objects.flatMap((object): [string, number][] => {
    if (object.kind === 'once') return resourcesOf(object).map(({ name }) => [name, object.ttlMs])
    if (object.kind === 'work')
      return object.rate === undefined ? [] : [[cellNameOf(object.name), object.rate.perMs]]
    return object.kind === 'rate' ? [[object.name, object.intervalMs]] : []
  })
  return {
    resources: objects.flatMap(resourcesOf),
    forced: new Set(forced),
    faulty,
    turns,
    majorities: othersFor(objects) > 0,
    closing,
    intervalsMs: new Map(intervals),
  }
}
