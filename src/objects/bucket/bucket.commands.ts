import { defineCommand } from '../../command/operation/command.js'
import { boolean, bytes, integer, nullable, status } from '../../command/operation/replies.js'

const bucket = ['bucket'] as const
const found = nullable(bytes)

export const get = defineCommand('GET', { keys: bucket, args: [], reply: found, repeat: 'safe' })

export const getAndDelete = defineCommand('GETDEL', {
  keys: bucket,
  args: [],
  reply: found,
  repeat: 'counting',
})

export const getAndExpireIn = defineCommand('GETEX', {
  keys: bucket,
  args: ['PX', 'ttlMs'],
  reply: found,
  repeat: 'idempotent',
})

export const getAndExpireAt = defineCommand('GETEX', {
  keys: bucket,
  args: ['PXAT', 'moment'],
  reply: found,
  repeat: 'idempotent',
})

export const getAndPersist = defineCommand('GETEX', {
  keys: bucket,
  args: ['PERSIST'],
  reply: found,
  repeat: 'idempotent',
})

export const size = defineCommand('STRLEN', { keys: bucket, args: [], reply: integer, repeat: 'safe' })

export const set = defineCommand('SET', {
  keys: bucket,
  args: ['value', '...expiry'],
  reply: status,
  repeat: 'idempotent',
  overwrites: true,
})

/** Whether the value was set. A copy of it would set it again where another client has removed it meanwhile. */
export const setIfAbsent = defineCommand('SET', {
  keys: bucket,
  args: ['value', 'NX', '...expiry'],
  reply: boolean,
  repeat: 'counting',
})

/** A copy of it that finds no value cannot tell whether there was one, which has expired or was removed. */
export const setIfExists = defineCommand('SET', {
  keys: bucket,
  args: ['value', 'XX', '...expiry'],
  reply: boolean,
  repeat: 'idempotent',
  unchanged: false,
})

export const getAndSet = defineCommand('SET', {
  keys: bucket,
  args: ['value', 'GET', '...expiry'],
  reply: found,
  repeat: 'counting',
})

/** The longest common subsequence of two values, which is empty where one of them is missing. */
export const common = defineCommand('LCS', {
  keys: ['bucket', 'other'],
  args: [],
  reply: bytes,
  repeat: 'safe',
})

/** How many bytes it has. */
export const commonLength = defineCommand('LCS', {
  keys: ['bucket', 'other'],
  args: ['LEN'],
  reply: integer,
  repeat: 'safe',
})
