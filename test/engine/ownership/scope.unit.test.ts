import { describe, expect, it } from 'vitest'
import { Scope } from '../../../src/ownership/scope.js'
import { namedThread } from '../../../src/ownership/thread.js'

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

  it('goes on until it is ended, and ends no other', () => {
    const outer = new Scope(thread, undefined)
    const inner = new Scope(thread, outer)
    expect([outer.ended, inner.ended]).toEqual([false, false])
    outer.end()
    expect([outer.ended, inner.ended]).toEqual([true, false])
  })

  it('leaves out what has ended around it, except where that still holds something', () => {
    const holding = { ...thread, holds: 1 }
    const outermost = new Scope(thread, undefined)
    const holder = new Scope(holding, new Scope(thread, outermost))
    const inner = new Scope(thread, new Scope(thread, holder))
    for (let around = inner.parent; around !== undefined; around = around.parent)
      if (around !== outermost) around.end()
    expect([inner.parent, holder.parent]).toEqual([holder, outermost])
    expect(inner.isWithin(outermost)).toBe(true)
    holding.holds = 0
    expect(inner.parent).toBe(outermost)
  })

  it('is within another one however many lie between', () => {
    const outer = new Scope(thread, undefined)
    let inner = outer
    for (let depth = 0; depth < 50_000; depth += 1) inner = new Scope(thread, inner)
    expect([inner.isWithin(outer), outer.isWithin(inner)]).toEqual([true, false])
  })

  it('knows its thread and what is around it', () => {
    const outer = new Scope(thread, undefined)
    const inner = new Scope(thread, outer)
    expect([inner.thread, inner.parent, outer.parent]).toEqual([thread, outer, undefined])
  })
})
