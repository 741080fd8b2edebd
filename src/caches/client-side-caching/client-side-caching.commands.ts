import { defineCommand } from '../../command/operation/command.js'
import { safeInteger } from '../../command/operation/replies.js'

/** For how many milliseconds the key lives; less than 0 without an end, or without the key. */
export const leftMs = defineCommand('PTTL', { keys: ['key'], args: [], reply: safeInteger, repeat: 'safe' })
