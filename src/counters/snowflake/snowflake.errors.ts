import { RedissonError, type RedissonErrorOptions } from '../../errors/redisson-error.js'

/** Why a client lost its node number. */
export type NodeIdLossReason =
  /** Redis said that the number is not this client's. */
  | 'not-held'
  /** The lease ended on this process's clock before a renewal was confirmed. */
  | 'expired'

/**
 * A client has lost the node number of a snowflake, and could not take another one: see the `cause`. No id was returned. A later call tries
 * again.
 */
export class NodeIdLostError extends RedissonError {
  override readonly name = 'NodeIdLostError'
  override readonly code = 'NODE_ID_LOST'
  /** The name of the snowflake. */
  readonly object: string
  /** The number that was lost. */
  readonly node: number
  /** Why it was lost. */
  readonly reason: NodeIdLossReason

  constructor(
    { object, node, reason }: Pick<NodeIdLostError, 'object' | 'node' | 'reason'>,
    options: RedissonErrorOptions,
  ) {
    super(
      `Node number ${node} of ${object} was lost, and there is no other: ${explanations[reason]}`,
      options,
    )
    this.object = object
    this.node = node
    this.reason = reason
  }
}

const explanations: Readonly<Record<NodeIdLossReason, string>> = {
  'not-held': 'Redis says that it is not held',
  expired: 'its lease ended before Redis confirmed a renewal',
}

/** What a call waited for that returned no id. */
export type SnowflakeWait =
  /** A node number: other clients have all of them. */
  | 'number'
  /** The clock: it stands behind an id that was handed out, or the ids of this millisecond are used up. */
  | 'clock'

/** A snowflake had no id within the time that the caller was ready to wait. */
export class SnowflakeTimeoutError extends RedissonError {
  override readonly name = 'SnowflakeTimeoutError'
  override readonly code = 'SNOWFLAKE_TIMEOUT'
  /** The name of the snowflake. */
  readonly object: string
  /** What there was to wait for. */
  readonly waitedFor: SnowflakeWait
  /** How long the caller was ready to wait, in milliseconds. */
  readonly waitMs: number

  constructor({ object, waitedFor, waitMs }: Pick<SnowflakeTimeoutError, 'object' | 'waitedFor' | 'waitMs'>) {
    super(`${object} had no id within ${waitMs} ms: ${waits[waitedFor]}`)
    this.object = object
    this.waitedFor = waitedFor
    this.waitMs = waitMs
  }
}

const waits: Readonly<Record<SnowflakeWait, string>> = {
  number: 'all node numbers are taken',
  clock: 'its clock stands at or behind an id that was handed out',
}

/** The bits of an id, as a snowflake was set up with. */
export interface SnowflakeBits {
  /** From when on milliseconds are counted, in milliseconds since 1970. */
  readonly epochMs: number
  /** How many bits the node number has. */
  readonly nodeBits: number
  /** How many bits the sequence has. */
  readonly sequenceBits: number
}

/** A snowflake was set up with other options than those of this object. Nothing was changed. */
export class SnowflakeLayoutError extends RedissonError {
  override readonly name = 'SnowflakeLayoutError'
  override readonly code = 'SNOWFLAKE_LAYOUT'
  /** The name of the snowflake. */
  readonly object: string
  /** The options of this object. */
  readonly wanted: SnowflakeBits
  /** The options that are in Redis. */
  readonly stored: SnowflakeBits

  constructor({ object, wanted, stored }: Pick<SnowflakeLayoutError, 'object' | 'wanted' | 'stored'>) {
    super(`${object} was set up with ${inWords(stored)}, and not with ${inWords(wanted)}`)
    this.object = object
    this.wanted = wanted
    this.stored = stored
  }
}

function inWords({ epochMs, nodeBits, sequenceBits }: SnowflakeBits): string {
  return `nodeBits ${nodeBits}, sequenceBits ${sequenceBits} and epochMs ${epochMs}`
}

/** No id of a snowflake has this time: it is before the epoch, or takes more bits than ids have for it. */
export class SnowflakeTimeError extends RedissonError {
  override readonly name = 'SnowflakeTimeError'
  override readonly code = 'SNOWFLAKE_TIME'
  /** The name of the snowflake. */
  readonly object: string
  /** The first time that an id can have. */
  readonly first: Date
  /** The last one. */
  readonly last: Date

  constructor({ object, first, last }: Pick<SnowflakeTimeError, 'object' | 'first' | 'last'>) {
    super(`${object} has ids from ${first.toISOString()} to ${last.toISOString()} only`)
    this.object = object
    this.first = first
    this.last = last
  }
}
