import { describe, expect, it } from 'vitest'
import { Scope } from '../../src/ownership/scope.js'
import { namedThread } from '../../src/ownership/thread.js'

const thread = namedThread('client', 7)

describe('a scope', () => {
  it('is within itself and all around it, and within no other', () => {
    const outer = new Scope(thread, undefined)
    const middle = new Scope(thread, outer)
    const inner = new Scope(thread, middle)
    const sibling = new Scope(thread, middle)
    expect([outer, middle, inner].map((scope) => inner.isWithin(scope))).toEqual([true, true, true])
    expect([sibling.isWithin(inner), outer.isWithin(inner), inner.isWithin(sibling)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('goes on until it is ended, and takes nobody along', () => {
    const outer = new Scope(thread, undefined)
    const inner = new Scope(thread, outer)
    expect([outer.ended, inner.ended]).toEqual([false, false])
    outer.end()
    expect([outer.ended, inner.ended]).toEqual([true, false])
  })

  it('knows its thread and what is around it', () => {
    const outer = new Scope(thread, undefined)
    const inner = new Scope(thread, outer)
    expect([inner.thread, inner.parent, outer.parent]).toEqual([thread, outer, undefined])
  })
})
