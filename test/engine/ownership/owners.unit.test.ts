import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { PlainHoldMarker } from '../../../src/ownership/plain-hold-marker.js'
import { Owners } from '../../../src/ownership/owners.js'
import type { Scope } from '../../../src/ownership/scope.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { lazyThenable, type LazyThenable } from '../../support/lazy-thenable.js'

/** Asks for a lock by the plain form, and gets it after some turns. */
async function take(owners: Owners, lock = 'lock', turns = 1): Promise<PlainHoldMarker> {
  const note = owners.note(lock, owners.newThread())
  for (let turn = 0; turn < turns; turn += 1) await nextTurn()
  note.hold({ loss: () => undefined })
  return note
}

/** Tries to take a lock by the plain form, and fails. */
async function takeInVain(owners: Owners, lock = 'lock'): Promise<void> {
  const note = owners.note(lock, owners.newThread())
  await nextTurn()
  note.end()
}

describe('threads', () => {
  it('get a new positive decimal id', () => {
    const owners = new Owners('client')
    const threads = Array.from({ length: 1_000 }, () => owners.newThread())
    expect(new Set(threads.map(({ id }) => id)).size).toBe(1_000)
    for (const { id, owner, shared: shared } of threads) {
      expect(id).toMatch(/^[1-9]\d*$/)
      expect(owner).toBe(`client:${id}`)
      expect(shared).toBe(false)
    }
  })

  it('get ids far from those that programs choose, and well within Java’s long', () => {
    const { id } = new Owners('client').newThread()
    expect(BigInt(id)).toBeGreaterThan(2n ** 32n)
    expect(BigInt(id)).toBeLessThan(2n ** 62n)
  })

  it('may be named by the user, and are shared then', () => {
    expect(new Owners('client').named(7)).toEqual({
      id: '7',
      owner: 'client:7',
      chosen: true,
      shared: true,
      holds: 0,
    })
  })
})

describe('a scope', () => {
  it('is there for the function and for all that it awaits or starts, while it runs', async () => {
    const owners = new Owners('client')
    const scope = owners.openScope(owners.newThread())
    await owners.run(scope, async () => {
      expect(owners.scope).toBe(scope)
      await sleep(1)
      expect(owners.scope).toBe(scope)
      expect(await Promise.all([nextTurn().then(() => owners.scope)])).toEqual([scope])
    })
    expect(owners.scope).toBeUndefined()
  })

  it('is not there beside the function', async () => {
    const owners = new Owners('client')
    const running = owners.run(owners.openScope(owners.newThread()), () => nextTurn())
    expect(owners.scope).toBeUndefined()
    await running
  })

  it('is not there for another client', async () => {
    const [owners, others] = [new Owners('client'), new Owners('other')]
    await owners.run(owners.openScope(owners.newThread()), () => {
      expect(others.scope).toBeUndefined()
    })
  })

  it('hides the one around it, which comes back after it', async () => {
    const owners = new Owners('client')
    const outer = owners.openScope(owners.newThread())
    await owners.run(outer, async () => {
      const inner = owners.openScope(owners.newThread())
      await owners.run(inner, () => {
        expect(owners.scope).toBe(inner)
        expect(inner.parent).toBe(outer)
        expect([...owners.enclosingScopes()]).toEqual([inner, outer])
      })
      expect(owners.scope).toBe(outer)
    })
  })

  it('ends when the function has settled, however it did', async () => {
    const owners = new Owners('client')
    const scopes = [1, 2, 3].map(() => owners.openScope(owners.newThread()))
    const [first, second, third] = scopes as [(typeof scopes)[0], (typeof scopes)[0], (typeof scopes)[0]]
    expect(await owners.run(first, () => 'answer')).toBe('answer')
    await expect(owners.run(second, () => Promise.reject(new Error('planted')))).rejects.toThrow('planted')
    const throws = () => {
      throw new Error('planted')
    }
    await expect(owners.run(third, throws)).rejects.toThrow('planted')
    expect(scopes.map(({ ended }) => ended)).toEqual([true, true, true])
  })

  it('is not there for what it has left behind, even where one around it goes on', async () => {
    const owners = new Owners('client')
    const gate = Promise.withResolvers<void>()
    await owners.run(owners.openScope(owners.newThread()), async () => {
      const inner = owners.openScope(owners.newThread())
      const late = await owners.run(inner, () => ({ outcome: gate.promise.then(() => owners.scope) }))
      gate.resolve()
      expect(await late.outcome).toBeUndefined()
    })
  })

  it('is still known to what it has left behind, as one that has ended', async () => {
    const owners = new Owners('client')
    const gate = Promise.withResolvers<void>()
    const scope = owners.openScope(owners.newThread())
    const late = await owners.run(scope, () => ({
      outcome: gate.promise.then(() => [...owners.enclosingScopes()]),
    }))
    gate.resolve()
    expect(await late.outcome).toEqual([scope])
  })
})

describe('what a function returns as a thread', () => {
  const begin = <T>(fn: (owners: Owners) => T | PromiseLike<T>) => {
    const owners = new Owners('client')
    const scope = owners.openScope(owners.newThread())
    return { scope, result: owners.runIn(scope, () => fn(owners)) }
  }

  it('is the promise itself', async () => {
    const promise = Promise.resolve('done')
    const { result } = begin(() => promise)
    expect(result).toBe(promise)
    expect(await result).toBe('done')
  })

  it('begins its work inside the scope if it is a thenable, whose then() is read and called once', async () => {
    const found: unknown[] = []
    const made: LazyThenable<string>[] = []
    const { scope, result } = begin((owners) => {
      const work = lazyThenable(async () => {
        found.push(owners.scope)
        await nextTurn()
        found.push(owners.scope)
        return 'done'
      })
      made.push(work)
      return work
    })
    expect(await result).toBe('done')
    expect(found).toEqual([scope, scope])
    expect(made.map(({ reads, runs }) => [reads, runs])).toEqual([[1, 1]])
  })

  it('begins its work inside the scope if it is a promise of a class that has its own then()', async () => {
    const found: unknown[] = []
    class Query<T> extends Promise<T> {
      override then<A = T, B = never>(...reactions: Parameters<Promise<T>['then']>): Promise<A | B> {
        found.push(current.scope)
        return super.then(...reactions) as Promise<A | B>
      }
    }
    const current = new Owners('client')
    const scope = current.openScope(current.newThread())
    expect(await current.run(scope, () => Query.resolve('done'))).toBe('done')
    expect(found).toEqual([scope])
  })

  it.each<readonly [string, PromiseLike<string>]>([
    [
      'throws when its then() is read',
      {
        get then(): never {
          throw new Error('planted')
        },
      },
    ],
    [
      'throws in then()',
      {
        then: () => {
          throw new Error('planted')
        },
      },
    ],
    [
      'rejects, and then resolves and throws',
      {
        then: (onfulfilled, onrejected) => {
          onrejected?.(new Error('planted'))
          onfulfilled?.('late')
          throw new Error('late')
        },
      },
    ],
  ])('rejects with its first error if it is a thenable that %s', async (_, thenable) => {
    const { result } = begin(() => thenable)
    await expect(result).rejects.toThrow('planted')
  })

  it('keeps its first result if it is a thenable that resolves, and then rejects and throws', async () => {
    const thenable: PromiseLike<string> = {
      then: (onfulfilled, onrejected) => {
        onfulfilled?.('first')
        onrejected?.(new Error('late'))
        throw new Error('late')
      },
    }
    expect(await begin(() => thenable).result).toBe('first')
  })

  it('keeps the scope open while a thenable has not settled', async () => {
    const owners = new Owners('client')
    const scope = owners.openScope(owners.newThread())
    const gate = Promise.withResolvers<string>()
    const running = owners.run(scope, () => lazyThenable(() => gate.promise))
    await nextTurn()
    expect(scope.ended).toBe(false)
    gate.resolve('done')
    expect(await running).toBe('done')
    expect(scope.ended).toBe(true)
  })
})

describe('a chain of scopes, each of which begins the next one before it ends,', () => {
  it('keeps no more of them than the last ones', async () => {
    const owners = new Owners('client')
    const scopes: WeakRef<Scope>[] = []
    const gate = Promise.withResolvers<void>()
    const link = async (): Promise<void> => {
      const scope = owners.openScope(owners.newThread())
      scopes.push(new WeakRef(scope))
      await owners.run(scope, async () => {
        await nextTurn()
        if (scopes.length === 50) await gate.promise
        else void link()
      })
    }
    void link()
    await eventually(() => scopes.length === 50)
    await nextTurn()
    collectGarbage()
    expect(scopes.filter((scope) => scope.deref() !== undefined).length).toBeLessThan(5)
    gate.resolve()
  })
})

describe('a note of a plain lock()', () => {
  it('is dropped some losses after its own hold was lost, and not before', async () => {
    const owners = new Owners('client')
    const standing = owners.note('standing', owners.newThread())
    standing.hold({ loss: () => undefined })
    for (let index = 0; index < 20; index += 1) {
      const note = owners.note(`lost-${String(index)}`, owners.newThread())
      note.hold({ loss: () => new Error('its lease has ended') })
    }
    await nextTurn()
    owners.note('last', owners.newThread())
    const found = Array.from(
      { length: 20 },
      (_, index) => owners.noted(`lost-${String(index)}`) !== undefined,
    )
    expect(found).toEqual([false, false, false, false, ...Array.from({ length: 16 }, () => true)])
    expect(owners.noted('standing')).toBe(standing)
  })

  it('is found by the flow when it holds the lock, and not before or after', async () => {
    const owners = new Owners('client')
    const note = owners.note('lock', owners.newThread())
    expect(owners.noted('lock')).toBeUndefined()
    note.hold({ loss: () => undefined })
    expect(owners.noted('lock')).toBe(note)
    await nextTurn()
    expect(owners.noted('lock')).toBe(note)
    note.end()
    expect(owners.noted('lock')).toBeUndefined()
  })

  it('is found for its own lock alone, and by its own client alone', async () => {
    const [owners, others] = [new Owners('client'), new Owners('other')]
    const [a, b] = [await take(owners, 'a'), await take(owners, 'b')]
    expect([owners.noted('a'), owners.noted('b'), owners.noted('c')]).toEqual([a, b, undefined])
    expect(others.noted('a')).toBeUndefined()
  })

  it('is found inside scopes that begin later, and keeps the scope that was there', async () => {
    const owners = new Owners('client')
    const outer = owners.openScope(owners.newThread())
    await owners.run(outer, async () => {
      const note = await take(owners)
      expect(owners.scope).toBe(outer)
      await owners.run(owners.openScope(owners.newThread()), () => {
        expect(owners.noted('lock')).toBe(note)
      })
    })
  })

  it('is not found after the scope that it was made in', async () => {
    const owners = new Owners('client')
    await owners.run(owners.openScope(owners.newThread()), () => take(owners))
    expect(owners.noted('lock')).toBeUndefined()
  })

  it('is the newest that holds, where a flow has several', async () => {
    const owners = new Owners('client')
    const first = await take(owners)
    const second = await take(owners)
    expect(owners.noted('lock')).toBe(second)
    second.end()
    expect(owners.noted('lock')).toBe(first)
  })

  it('is still the older one after a newer attempt has failed', async () => {
    const owners = new Owners('client')
    const note = await take(owners)
    await takeInVain(owners)
    expect(owners.noted('lock')).toBe(note)
  })

  it('is never a sibling’s that asked at the same time', async () => {
    const owners = new Owners('client')
    const branch = async () => {
      const own = await take(owners, 'lock', 2)
      const found = owners.noted('lock')
      own.end()
      return found === own && owners.noted('lock') === undefined
    }
    expect(await Promise.all([branch(), branch(), branch()])).toEqual([true, true, true])
  })

  it('is never a sibling’s for one that failed at the same time', async () => {
    const owners = new Owners('client')
    const holder = take(owners, 'lock', 1)
    const loser = async () => {
      await takeInVain(owners)
      await nextTurn() // by now the holder has it
      return owners.noted('lock')
    }
    expect(await loser()).toBeUndefined()
    expect((await holder).held).toBe(true)
  })

  it('is never a sibling’s where each has awaited something before it asked', async () => {
    const owners = new Owners('client')
    const branch = async () => {
      await nextTurn()
      const own = await take(owners, 'lock', 2)
      const found = owners.noted('lock')
      own.end()
      return found === own && owners.noted('lock') === undefined
    }
    expect(await Promise.all([branch(), branch(), branch()])).toEqual([true, true, true])
  })

  it('reaches the caller of the caller, and so does not identify the next caller', async () => {
    const owners = new Owners('client')
    const helper = take(owners) // not awaited
    await nextTurn()
    expect(owners.noted('lock')).toBe(await helper)
  })

  it('keeps notes of other locks that are pending: a flow may ask for two at once', async () => {
    const owners = new Owners('client')
    const [a, b] = await Promise.all([take(owners, 'a'), take(owners, 'b')])
    expect([owners.noted('a'), owners.noted('b')]).toEqual([a, b])
  })

  it('is not found by a flow that knows nothing of this one', async () => {
    const owners = new Owners('client')
    const note = await take(owners)
    expect(elsewhere(() => owners.noted('lock'))).toBeUndefined()
    expect(owners.noted('lock')).toBe(note)
  })

  it('is let go of when it is over, however many a flow makes', async () => {
    const owners = new Owners('client')
    const takeAndEnd = async (lock: string) => {
      const note = await take(owners, lock)
      note.end()
      return new WeakRef(note)
    }
    await elsewhere(async () => {
      const ended = [await takeAndEnd('a'), await takeAndEnd('b'), await takeAndEnd('c')]
      await take(owners, 'last')
      await nextTurn()
      collectGarbage()
      expect(ended.map((note) => note.deref())).toEqual([undefined, undefined, undefined])
    })
  })
})
