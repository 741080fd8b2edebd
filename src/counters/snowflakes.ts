import type { RSnowflake, SnowflakeObjects, SnowflakeOptions } from '../api/counters/snowflake.js'
import type { LockContext } from '../core/object-context.js'
import { Layout } from './snowflake/layout.js'
import { RedissonSnowflake } from './snowflake/snowflake.js'
import { Snowflakes } from './snowflake/snowflakes.js'

/** Makes the snowflakes of a client. */
export class SnowflakeCounters implements SnowflakeObjects {
  readonly #context: LockContext
  readonly #snowflakes: Snowflakes

  constructor(context: LockContext) {
    this.#context = context
    this.#snowflakes = new Snowflakes(context)
  }

  getSnowflake(name: string, options: SnowflakeOptions = {}): RSnowflake {
    const layout = Layout.of(options)
    return new RedissonSnowflake({ context: this.#context, name, layout, snowflakes: this.#snowflakes })
  }
}
