import type { CollectionObjects } from '../collections.api.js'
import type { Factories } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { SeriesCleaning } from './series-cleaning.js'
import { RedissonTimeSeries } from './time-series.js'

/** How a client and a batch make one. */
export const timeSeriesFactories: Factories<Pick<CollectionObjects, 'getTimeSeries'>> = {
  getTimeSeries: ({ context, shared }, name, options) =>
    new RedissonTimeSeries(context, name, valueSettings(options, context), shared.get(SeriesCleaning)),
}
