import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { integer } from '../../src/command/replies.js'
import { argumentsOf, defineScript } from '../../src/command/script.js'

describe('a script', () => {
  const script = defineScript('room/act', {
    lua: ['-- a fragment', '-- another', '-- its own'],
    keys: ['lock', '...others'],
    args: ['leaseMs', '...owners'],
    reply: integer,
    counts: false,
  })

  it('is its files one after the other, each from a new line on', () => {
    expect(script.source).toBe('-- a fragment\n-- another\n-- its own')
  })

  it('may be one file', () => {
    const single = defineScript('room/single', {
      lua: '-- own',
      keys: [],
      args: [],
      reply: integer,
      counts: true,
    })
    expect(single).toMatchObject({ name: 'room/single', source: '-- own', counts: true })
  })

  it('is known to Redis by the hash of all of it', () => {
    expect(script.sha).toBe(createHash('sha1').update(script.source).digest('hex'))
    expect(script.sha).toMatch(/^[0-9a-f]{40}$/)
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(script)).toBe(true)
  })
})

describe('what EVAL takes', () => {
  it('is the code, the number of keys, then all values in the order of the names', () => {
    const script = { keys: ['lock', 'channel'], args: ['owner', 'leaseMs'] } as const
    const call = { keys: { channel: 'c', lock: 'l' }, args: { leaseMs: 9, owner: 'o' } }
    expect(argumentsOf('sha', script, call)).toEqual(['sha', 2, 'l', 'c', 'o', 9])
  })

  it('has the values of a list one by one, after all others', () => {
    const script = { keys: ['...locks'], args: ['leaseMs', '...owners'] } as const
    const call = { keys: { locks: ['l', 'm'] }, args: { owners: ['o', 'p'], leaseMs: 9 } }
    expect(argumentsOf('sha', script, call)).toEqual(['sha', 2, 'l', 'm', 9, 'o', 'p'])
  })

  it('may have an empty list, or no values at all', () => {
    const listed = { keys: ['...locks'], args: [] } as const
    expect(argumentsOf('sha', listed, { keys: { locks: [] }, args: {} })).toEqual(['sha', 0])
    expect(argumentsOf('sha', { keys: [], args: [] }, { keys: {}, args: {} })).toEqual(['sha', 0])
  })

  it('keeps bytes as they are', () => {
    const id = Buffer.from([0, 255])
    expect(argumentsOf('sha', { keys: [], args: ['id'] }, { keys: {}, args: { id } })[2]).toBe(id)
  })
})
