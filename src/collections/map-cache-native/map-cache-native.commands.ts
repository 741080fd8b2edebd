import { defineCommand } from '../../command/operation/command.js'
import { integer, list } from '../../command/operation/replies.js'

const map = ['map'] as const

/** For each field, 1 if its end was set, 0 if the condition is not met, and -2 if it has no value. */
export const expireIf = defineCommand('HPEXPIRE', {
  keys: map,
  args: ['ttlMs', 'condition', 'FIELDS', 'NUMKEYS', '...fields'],
  reply: list(integer),
  repeat: 'counting',
})

/** For each field, 1 if it had an end, which it has no more, -1 if it had none, and -2 if it has no value. */
export const persist = defineCommand('HPERSIST', {
  keys: map,
  args: ['FIELDS', 'NUMKEYS', '...fields'],
  reply: list(integer),
  repeat: 'counting',
})

/** For each field, how many milliseconds are left: -1 for no end, and -2 for no value. */
export const timesLeft = defineCommand('HPTTL', {
  keys: map,
  args: ['FIELDS', 'NUMKEYS', '...fields'],
  reply: list(integer),
  repeat: 'safe',
})
