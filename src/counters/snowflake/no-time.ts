import { SnowflakeTimeError } from './snowflake.errors.js'
import type { Layout } from './layout.js'

/** What there is to say of a moment that no id can have. */
export function noTime(object: string, { epochMs, lastMs }: Layout): SnowflakeTimeError {
  return new SnowflakeTimeError({ object, first: new Date(epochMs), last: new Date(lastMs) })
}
