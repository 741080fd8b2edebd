import type { ClientSideCachingOptions } from './client-side-caching.api.js'
import type { LocalLimits } from '../../collections/local-cached-map/cache/bounded-entries.js'
import { localLimits } from '../../collections/local-cached-map/local-cached-map-options.js'
import { demandOptions, known } from '../../core/arguments/options.js'

const OPTIONS = known<ClientSideCachingOptions>({
  cacheSize: true,
  evictionPolicy: true,
  ttlMs: true,
  maxIdleMs: true,
})

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a number that is too small */
export function limitsOf(options: ClientSideCachingOptions = {}): LocalLimits {
  demandOptions(options, OPTIONS)
  return localLimits(options)
}
