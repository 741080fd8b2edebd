import { defineCommand } from '../../command/operation/command.js'
import { bytes, nullable } from '../../command/operation/replies.js'

const queue = ['queue'] as const
const element = { reply: nullable(bytes), repeat: 'counting' } as const

export const poll = defineCommand('LPOP', { keys: queue, args: [], ...element })

export const pollLast = defineCommand('RPOP', { keys: queue, args: [], ...element })

/** The element that became the head of the target. */
export const pollLastAndOfferFirstTo = defineCommand('RPOPLPUSH', {
  keys: ['queue', 'target'],
  args: [],
  ...element,
})
