import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ReentrantScopes } from '../../../src/locks/shared/hold/reentrant-scopes.js'
import { Scope } from '../../../src/ownership/scope.js'
import { namedThread } from '../../../src/ownership/thread.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { collectGarbage } from '../../support/collect-garbage.js'

const newScope = (around?: Scope) => new Scope(namedThread('client', 7), around)

describe('a scope that enters holds again and again', () => {
  it('keeps nothing of those that it has left, however many they were', async () => {
    const scope = newScope()
    const left = Array.from({ length: 5_000 }, () => {
      const inside = new ReentrantScopes()
      inside.enter(scope)
      inside.enter(scope)
      inside.leave(scope)
      inside.leave(scope)
      return new WeakRef(inside)
    })
    await nextTurn()
    collectGarbage()
    expect(left.filter((inside) => inside.deref() !== undefined).length).toBeLessThan(5)
    expect(scope.ended).toBe(false)
  })

  it('lets in its waiters when it ends without leaving, also if it had left once', async () => {
    const [outer, inside] = [newScope(), new ReentrantScopes()]
    const [one, other] = [newScope(outer), newScope(outer)]
    inside.enter(one)
    inside.enter(one)
    inside.leave(one)
    expect(inside.admits(other)).toBe(false)
    const change = inside.change(Deadline.never, undefined)
    one.end()
    await change
    expect(inside.admits(other)).toBe(true)
  })
})
