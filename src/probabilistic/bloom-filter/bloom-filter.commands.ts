import { defineCommand } from '../../command/command.js'
import { double, nullable } from '../../command/replies.js'

/** One of the settings, all of which are numbers. */
export const setting = defineCommand('HGET', {
  keys: ['config'],
  args: ['setting'],
  reply: nullable(double),
  repeat: 'safe',
})
