import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { Repeat } from '../../../src/command/operation/operation.js'
import { integer } from '../../../src/command/operation/replies.js'
import { argumentsOf, defineScript } from '../../../src/command/operation/script.js'

describe('a script', () => {
  const script = defineScript('room/act', {
    lua: ['-- a fragment', '-- another', '-- its own'],
    keys: ['lock', '...others'],
    args: ['leaseMs', '...owners'],
    reply: integer,
    repeat: 'idempotent',
  })

  it('is its files one after the other, each from a new line on', () => {
    expect(script.source).toBe('-- a fragment\n-- another\n-- its own')
  })

  it('may be one file', () => {
    const single = defineScript('room/single', {
      lua: '-- own',
      keys: ['request'],
      args: [],
      reply: integer,
      repeat: 'counting',
    })
    expect(single).toMatchObject({ name: 'room/single', source: '-- own', repeat: 'counting' })
  })

  it('remembers its answer if it counts and has a key for that', () => {
    const remembers = (keys: readonly string[], repeat: Repeat) =>
      defineScript('room/act', { lua: '', keys, args: [], reply: integer, repeat }).remembers
    expect(remembers(['lock', 'request'], 'counting')).toBe(true)
    expect(remembers(['lock', 'request'], 'idempotent')).toBe(false)
    expect(remembers(['map'], 'counting')).toBe(false)
  })

  it('is known to Redis by the hash of all of it', () => {
    expect(script.sha).toBe(createHash('sha1').update(script.source).digest('hex'))
    expect(script.sha).toMatch(/^[0-9a-f]{40}$/)
  })

  it('cannot be changed', () => {
    expect(Object.isFrozen(script)).toBe(true)
  })
})

describe('a script that publishes', () => {
  const script = defineScript('room/tell', {
    lua: "return tell(ARGV[1], 'channel', 'message')",
    keys: [],
    args: ['publish'],
    reply: integer,
    repeat: 'idempotent',
  })

  it('answers as any other where it may', () => {
    expect(script.reply(3)).toBe(3)
  })

  it('warns where it may not, and answers all the same', () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      expect(script.reply([Buffer.from('REFUSED'), Buffer.from('redisson_sc:{a}'), 3])).toBe(3)
      expect(emitWarning.mock.calls).toEqual([
        [expect.stringContaining('redisson_sc:{a}'), { code: 'REDISSON_PUBLISH_FORBIDDEN' }],
      ])
    } finally {
      emitWarning.mockRestore()
    }
  })
})

describe('what EVAL takes', () => {
  const sent = { publish: 'publish', attempt: 1 }

  it('is the code, the number of keys, then all values in the order of the names', () => {
    const script = defined(['lock', 'channel'], ['owner', 'leaseMs'])
    const call = { keys: { channel: 'c', lock: 'l' }, args: { leaseMs: 9, owner: 'o' } }
    expect(argumentsOf('sha', script, call, sent)).toEqual(['sha', 2, 'l', 'c', 'o', 9])
  })

  it('has the values of a list one by one, after all others', () => {
    const script = defined(['...locks'], ['leaseMs', '...owners'])
    const call = { keys: { locks: ['l', 'm'] }, args: { owners: ['o', 'p'], leaseMs: 9 } }
    expect(argumentsOf('sha', script, call, sent)).toEqual(['sha', 2, 'l', 'm', 9, 'o', 'p'])
  })

  it('may have an empty list, or no values at all', () => {
    const listed = defined(['...locks'], [])
    expect(argumentsOf('sha', listed, { keys: { locks: [] }, args: {} }, sent)).toEqual(['sha', 0])
    expect(argumentsOf('sha', defined([], []), { keys: {}, args: {} }, sent)).toEqual(['sha', 0])
  })

  it('has the command to publish by that is right when it is sent', () => {
    const script = defined([], ['publish', 'unit'])
    const call = { keys: {}, args: { unit: 'u' } }
    expect(argumentsOf('sha', script, call, { ...sent, publish: 'spublish' })).toEqual([
      'sha',
      0,
      'spublish',
      'u',
    ])
  })

  it('has the number of the copy, also where no one listens', () => {
    const script = defined([], ['publish', 'attempt', 'unit'])
    const call = { keys: {}, args: { unit: 'u' }, silent: true }
    expect(argumentsOf('sha', script, call, { ...sent, attempt: 3 })).toEqual(['sha', 0, '', 3, 'u'])
  })

  it('keeps bytes as they are', () => {
    const id = Buffer.from([0, 255])
    expect(argumentsOf('sha', defined([], ['id']), { keys: {}, args: { id } }, sent)[2]).toBe(id)
  })
})

function defined<const K extends string, const A extends string>(keys: readonly K[], args: readonly A[]) {
  return defineScript('room/act', { lua: '', keys, args, reply: integer, repeat: 'safe' })
}
