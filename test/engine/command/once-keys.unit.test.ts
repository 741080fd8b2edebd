import { describe, expect, it } from 'vitest'
import { OnceKeys } from '../../../src/command/once/once-keys.js'
import { hashSlot } from '../../../src/connection/requests/hash-slot.js'

describe('the key of an answer', () => {
  it.each(['orders', 'a{b}c', '{a}', 'a{', 'a}', 'a}b', '{}a', 'a{}{b}', 'a{b', '}{', 'ünï', ''])(
    'is in the slot of %j',
    (key) => {
      const keys = new OnceKeys(hashSlot)
      expect(hashSlot(keys.next(key))).toBe(hashSlot(key))
      expect(hashSlot(keys.next(key))).toBe(hashSlot(key))
    },
  )

  it('has the key in it, and is another for each request', () => {
    const keys = new OnceKeys(hashSlot)
    expect(keys.next('orders')).toMatch(/^redisson__once:\{orders\}:[0-9a-f]{32}$/)
    expect(keys.next('a{b}')).toMatch(/^redisson__once:\{b\}:/)
    expect(keys.next('orders')).not.toBe(keys.next('orders'))
    expect(keys.next(undefined)).not.toBe(keys.next(undefined))
  })
})
