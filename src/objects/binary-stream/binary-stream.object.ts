import type { ValueObjects } from '../objects.api.js'
import type { Factory } from '../../core/context/factories.js'
import { objectSettings } from '../../core/arguments/object-settings.js'
import { RedissonBinaryStream } from './binary-stream.js'

/** How a client and a batch make one. */
export const getBinaryStream: Factory<ValueObjects['getBinaryStream']> = ({ context }, name, options) =>
  new RedissonBinaryStream(context, name, objectSettings(options))
