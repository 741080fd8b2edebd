import type { MessagesOptions } from './subscription.api.js'
import { checkedSignal, demandFunction, wholeNumber } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectWord } from '../../util/inspect-short.js'

const MESSAGES = known<MessagesOptions>({ signal: true, buffer: true, overflow: true, onGap: true })

const OVERFLOWS: readonly unknown[] = ['error', 'dropOldest', 'dropNewest']

/** @throws TypeError or RangeError for options that are unknown or wrong */
export function checkedMessages(options: MessagesOptions = {}): MessagesOptions {
  demandOptions(options, MESSAGES)
  const { signal, buffer, overflow, onGap } = options
  checkedSignal(signal)
  if (buffer !== undefined) wholeNumber('buffer', buffer, 1)
  if (overflow !== undefined && !OVERFLOWS.includes(overflow))
    throw new RangeError(
      `Expected \`overflow\` to be one of ${OVERFLOWS.join(', ')}, got ${inspectWord(overflow)}`,
    )
  if (onGap !== undefined) demandFunction(onGap, 'onGap')
  return options
}
