import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { integer } from '../../src/command/replies.js'
import { defineScript, inOrder } from '../../src/command/script.js'

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

describe('the values of a call', () => {
  it('come in the order of the names, whatever order they are given in', () => {
    expect(inOrder(['a', 'b', 'c'], { c: 3, a: 1, b: 2 })).toEqual([1, 2, 3])
  })

  it('come one by one for a list, after all others', () => {
    expect(inOrder(['leaseMs', '...owners'], { owners: ['o', 'p'], leaseMs: '9' })).toEqual(['9', 'o', 'p'])
  })

  it('may be an empty list, or none at all', () => {
    expect(inOrder(['...keys'], { keys: [] })).toEqual([])
    expect(inOrder([], {})).toEqual([])
  })

  it('keep bytes as they are', () => {
    const bytes = Buffer.from([0, 255])
    expect(inOrder(['id'], { id: bytes })[0]).toBe(bytes)
  })
})
