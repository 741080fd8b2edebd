import type { DeadLetterStream, StreamConsumerOptions } from '../stream-consumer.api.js'
import { checkedSignal, demandName, milliseconds, wholeNumber } from '../../../core/arguments/arguments.js'
import { demandOptions, known } from '../../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../../util/inspect-short.js'
import { checkedId, pageSize } from '../stream-arguments.js'

const CONSUMER = known<StreamConsumerOptions>({
  name: true,
  from: true,
  claimIdleMs: true,
  maxDeliveries: true,
  deadLetter: true,
  batch: true,
  concurrency: true,
  signal: true,
})

const CLAIM_IDLE_MS = 60_000
const SHORTEST_CLAIM_IDLE_MS = 100
const BATCH = 100

/** How a consumer receives messages, checked. */
export interface ConsumerSettings {
  readonly group: string
  /** Undefined for a name that no other consumer has. */
  readonly name: string | undefined
  readonly from: string
  readonly claimIdleMs: number
  /** Where messages go that were delivered too often, and how often that is; undefined where none goes anywhere. */
  readonly dead: { readonly key: string; readonly most: number } | undefined
  readonly batch: number
  readonly concurrency: number
  readonly signal: AbortSignal | undefined
}

/** The stream that is read. */
export interface ReadStream {
  readonly key: string
  /** The key of another stream, which has to be in the same slot. */
  readonly keyInSlot: (name: string) => string
}

export function consumerSettings(
  group: string,
  options: StreamConsumerOptions = {},
  stream: ReadStream,
): ConsumerSettings {
  demandOptions(options, CONSUMER)
  if (options.name !== undefined) demandName('`name` to be', options.name)
  const { name, from = '0', claimIdleMs = CLAIM_IDLE_MS, batch, concurrency = Infinity, signal } = options
  return {
    group,
    name,
    from: checkedId('from', from, '$'),
    claimIdleMs: idleTime(claimIdleMs),
    dead: deadLettering(options, stream),
    batch: pageSize(batch, BATCH, 'batch'),
    concurrency: concurrency === Infinity ? concurrency : wholeNumber('concurrency', concurrency, 1),
    signal: checkedSignal(signal),
  }
}

function idleTime(claimIdleMs: number): number {
  const idle = Math.ceil(milliseconds('claimIdleMs', claimIdleMs))
  const isSafe = idle === Infinity || idle <= Number.MAX_SAFE_INTEGER
  if (idle >= SHORTEST_CLAIM_IDLE_MS && isSafe) return idle
  throw new RangeError(
    `Expected \`claimIdleMs\` to be ${String(SHORTEST_CLAIM_IDLE_MS)} milliseconds or more, got ${String(claimIdleMs)}`,
  )
}

function deadLettering(
  { maxDeliveries, deadLetter }: StreamConsumerOptions,
  stream: ReadStream,
): ConsumerSettings['dead'] {
  const most = maxDeliveries === undefined ? undefined : wholeNumber('maxDeliveries', maxDeliveries, 1)
  const key = deadLetter === undefined ? undefined : keyOfOther(streamName(deadLetter), stream)
  if (most !== undefined && key !== undefined) return { most, key }
  if (most === undefined && key === undefined) return undefined
  throw new TypeError(
    'Expected `maxDeliveries` and `deadLetter` together: messages go there that were delivered so often',
  )
}

/** @throws RangeError for the stream itself: its dead letters would be delivered again without an end */
function keyOfOther(name: string, { key, keyInSlot }: ReadStream): string {
  const other = keyInSlot(name)
  if (other !== key) return other
  throw new RangeError(`Expected \`deadLetter\` to be another stream, got ${inspectWord(name)}`)
}

function streamName(deadLetter: string | DeadLetterStream): string {
  const name: unknown =
    typeof deadLetter === 'string' ? deadLetter : (deadLetter as DeadLetterStream | null)?.name
  if (typeof name !== 'string')
    throw new TypeError(`Expected \`deadLetter\` to be a stream or its name, got ${inspectShort(deadLetter)}`)
  demandName('`deadLetter` to be', name)
  return name
}
