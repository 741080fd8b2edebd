import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import { checkedSignal } from './arguments.js'
import { demandOptions, known } from './options.js'

const LISTEN = known<ListenOptions>({ signal: true })

/** @throws TypeError for options that are unknown or wrong */
export function checkedListening(options: ListenOptions = {}): ListenOptions {
  demandOptions(options, LISTEN)
  checkedSignal(options.signal)
  return options
}
