import { describe, expect, it } from 'vitest'
import { defineCommand, keysOf, wordsBeforeList, wordsOf } from '../../../src/command/operation/command.js'
import { integer, status } from '../../../src/command/operation/replies.js'

describe('a plain command', () => {
  it('is its name, its keys and its arguments, in the order of the names', () => {
    const hset = defineCommand('HSET', {
      keys: ['map'],
      args: ['field', 'value'],
      reply: integer,
      repeat: 'idempotent',
    })
    const value = Buffer.from([0, 255])
    expect(wordsOf(hset, { keys: { map: 'm' }, args: { value, field: 'f' } })).toEqual({
      name: 'hset',
      args: ['m', 'f', value],
    })
  })

  it('has its words in capitals where they stand', () => {
    const setFor = defineCommand('SET', {
      keys: ['bucket'],
      args: ['value', 'PX', 'ttlMs', 'NX'],
      reply: status,
      repeat: 'counting',
    })
    const { args } = wordsOf(setFor, { keys: { bucket: 'b' }, args: { value: 'v', ttlMs: 5 } })
    expect(args).toEqual(['b', 'v', 'PX', 5, 'NX'])
  })

  it('may have a subcommand, which comes before the keys', () => {
    const idle = defineCommand('OBJECT IDLETIME', { keys: ['key'], args: [], reply: integer, repeat: 'safe' })
    expect(wordsOf(idle, { keys: { key: 'k' }, args: {} })).toEqual({
      name: 'object',
      args: ['idletime', 'k'],
    })
  })

  it('counts the keys that follow NUMKEYS, and has the values of a list one by one', () => {
    const union = defineCommand('ZUNIONSTORE', {
      keys: ['target', 'NUMKEYS', '...sets'],
      args: ['WEIGHTS', '...weights'],
      reply: integer,
      repeat: 'idempotent',
    })
    const call = { keys: { target: 't', sets: ['a', 'b', 'c'] }, args: { weights: [1, 2, 3] } }
    expect(wordsOf(union, call).args).toEqual(['t', 3, 'a', 'b', 'c', 'WEIGHTS', 1, 2, 3])
    expect(keysOf(union, call)).toEqual(['t', 'a', 'b', 'c'])
  })

  it('may have no key, and an empty list', () => {
    const publish = defineCommand('PUBLISH', {
      keys: [],
      args: ['channel', '...messages'],
      reply: integer,
      repeat: 'counting',
    })
    expect(wordsOf(publish, { keys: {}, args: { channel: 'c', messages: [] } }).args).toEqual(['c'])
    expect(keysOf(publish, { keys: {} })).toEqual([])
  })

  it('has words before the list that ends it', () => {
    const zadd = defineCommand('ZADD', {
      keys: ['set'],
      args: ['NX', '...entries'],
      reply: integer,
      repeat: 'idempotent',
    })
    const call = { keys: { set: 's' }, args: { entries: [1, 'a', 2, 'b'] } }
    expect(wordsBeforeList(zadd, call)).toBe(['zadd', 's', 'NX'].length)
  })

  it('cannot be changed', () => {
    const ping = defineCommand('PING', { keys: [], args: [], reply: integer, repeat: 'safe' })
    expect(Object.isFrozen(ping)).toBe(true)
  })
})
