import { defineCommand } from '../../command/operation/command.js'
import { double, nullable, status } from '../../command/operation/replies.js'

const counter = ['counter'] as const
const found = nullable(double)

export const get = defineCommand('GET', { keys: counter, args: [], reply: found, repeat: 'safe' })

export const set = defineCommand('SET', {
  keys: counter,
  args: ['value'],
  reply: status,
  repeat: 'idempotent',
  overwrites: true,
})

export const getAndSet = defineCommand('SET', {
  keys: counter,
  args: ['value', 'GET'],
  reply: found,
  repeat: 'counting',
})

export const getAndDelete = defineCommand('GETDEL', {
  keys: counter,
  args: [],
  reply: found,
  repeat: 'counting',
})

export const add = defineCommand('INCRBYFLOAT', {
  keys: counter,
  args: ['delta'],
  reply: double,
  repeat: 'counting',
})
