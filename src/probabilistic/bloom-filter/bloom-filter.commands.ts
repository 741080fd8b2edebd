import { defineCommand } from '../../command/operation/command.js'
import { double, nullable } from '../../command/operation/replies.js'

/** One of the settings, all of which are numbers. */
export const setting = defineCommand('HGET', {
  keys: ['config'],
  args: ['setting'],
  reply: nullable(double),
  repeat: 'safe',
})
