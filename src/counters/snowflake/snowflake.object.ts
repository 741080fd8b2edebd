import type { SnowflakeObjects } from './snowflake.api.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { Layout } from './layout.js'
import { RedissonSnowflake } from './snowflake.js'
import { Snowflakes } from './snowflakes.js'

/** How a client makes one. */
export const getSnowflake: Factory<SnowflakeObjects['getSnowflake'], LockContext> = (
  { context, shared },
  name,
  options,
) => {
  const layout = Layout.of(options)
  const ahead = { ...context, executor: context.ahead }
  return new RedissonSnowflake({ context: ahead, name, layout, snowflakes: shared.get(Snowflakes) })
}
