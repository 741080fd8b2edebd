import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonList } from './list.js'

/** How a client and a batch make one. */
export const getList: Factory<CollectionObjects['getList']> = ({ context }, name, options) =>
  new RedissonList(context, name, valueSettings(options, context))
