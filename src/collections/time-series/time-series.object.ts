import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { SeriesCleaning } from './series-cleaning.js'
import { RedissonTimeSeries } from './time-series.js'

/** How a client and a batch make one. */
export const getTimeSeries: Factory<CollectionObjects['getTimeSeries']> = (
  { context, shared },
  name,
  options,
) => new RedissonTimeSeries(context, name, valueSettings(options, context), shared.get(SeriesCleaning))
