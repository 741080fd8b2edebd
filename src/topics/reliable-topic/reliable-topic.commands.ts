import { defineCommand } from '../../command/operation/command.js'
import { integer } from '../../command/operation/replies.js'

/** How many messages are stored. */
export const size = defineCommand('XLEN', { keys: ['stream'], args: [], reply: integer, repeat: 'safe' })
