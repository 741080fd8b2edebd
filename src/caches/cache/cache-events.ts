import { demandFunction } from '../../core/arguments/arguments.js'
import { inspectWord } from '../../util/inspect-short.js'
import type { CacheEvents } from './cache.api.js'

const EVENTS: Readonly<Record<keyof CacheEvents, true>> = {
  loaded: true,
  loadFailed: true,
  redisDown: true,
  redisUp: true,
}

/** @throws RangeError for what is no event of a cache; TypeError for what is no function */
export function demandListener(event: unknown, listener: unknown): void {
  if (typeof event !== 'string' || !Object.hasOwn(EVENTS, event)) {
    const names = Object.keys(EVENTS).join(', ')
    throw new RangeError(`Expected \`event\` to be one of ${names}, got ${inspectWord(event)}`)
  }
  demandFunction(listener, 'listener')
}
