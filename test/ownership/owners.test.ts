import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { Note } from '../../src/ownership/note.js'
import { Owners } from '../../src/ownership/owners.js'
import { elsewhere } from '../support/elsewhere.js'

/** Asks for a lock by the plain form, and gets it after some turns. */
async function take(owners: Owners, lock = 'lock', turns = 1): Promise<Note> {
  const note = owners.note(lock, owners.mint())
  for (let turn = 0; turn < turns; turn += 1) await nextTurn()
  note.hold()
  return note
}

/** Asks for a lock by the plain form, in vain. */
async function takeInVain(owners: Owners, lock = 'lock'): Promise<void> {
  const note = owners.note(lock, owners.mint())
  await nextTurn()
  note.end()
}

describe('threads', () => {
  it('are minted with a positive decimal id that nobody has had before', () => {
    const owners = new Owners('client')
    const threads = Array.from({ length: 1_000 }, () => owners.mint())
    expect(new Set(threads.map(({ id }) => id)).size).toBe(1_000)
    for (const { id, owner, shared } of threads) {
      expect(id).toMatch(/^[1-9]\d*$/)
      expect(owner).toBe(`client:${id}`)
      expect(shared).toBe(false)
    }
  })

  it('are minted far away from ids that people choose, and well within Java’s long', () => {
    const { id } = new Owners('client').mint()
    expect(BigInt(id)).toBeGreaterThan(2n ** 32n)
    expect(BigInt(id)).toBeLessThan(2n ** 62n)
  })

  it('may be named by the user, and are shared then', () => {
    expect(new Owners('client').named(7)).toEqual({ id: '7', owner: 'client:7', shared: true })
  })
})

describe('a scope', () => {
  it('is there for the function and for all that it awaits or starts, while it runs', async () => {
    const owners = new Owners('client')
    const scope = owners.openScope(owners.mint())
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
    const running = owners.run(owners.openScope(owners.mint()), () => nextTurn())
    expect(owners.scope).toBeUndefined()
    await running
  })

  it('is not there for another client', async () => {
    const [owners, others] = [new Owners('client'), new Owners('other')]
    await owners.run(owners.openScope(owners.mint()), () => {
      expect(others.scope).toBeUndefined()
    })
  })

  it('hides the one around it, which comes back after it', async () => {
    const owners = new Owners('client')
    const outer = owners.openScope(owners.mint())
    await owners.run(outer, async () => {
      const inner = owners.openScope(owners.mint())
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
    const scopes = [1, 2, 3].map(() => owners.openScope(owners.mint()))
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
    await owners.run(owners.openScope(owners.mint()), async () => {
      const inner = owners.openScope(owners.mint())
      const late = await owners.run(inner, () => ({ outcome: gate.promise.then(() => owners.scope) }))
      gate.resolve()
      expect(await late.outcome).toBeUndefined()
    })
  })

  it('is still known to what it has left behind, as one that has ended', async () => {
    const owners = new Owners('client')
    const gate = Promise.withResolvers<void>()
    const scope = owners.openScope(owners.mint())
    const late = await owners.run(scope, () => ({
      outcome: gate.promise.then(() => [...owners.enclosingScopes()]),
    }))
    gate.resolve()
    expect(await late.outcome).toEqual([scope])
  })
})

describe('a note of a plain lock()', () => {
  it('is found by the flow when it holds the lock, and not before or after', async () => {
    const owners = new Owners('client')
    const note = owners.note('lock', owners.mint())
    expect(owners.noted('lock')).toBeUndefined()
    note.hold()
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
    const outer = owners.openScope(owners.mint())
    await owners.run(outer, async () => {
      const note = await take(owners)
      expect(owners.scope).toBe(outer)
      await owners.run(owners.openScope(owners.mint()), () => {
        expect(owners.noted('lock')).toBe(note)
      })
    })
  })

  it('is not found after the scope that it was made in', async () => {
    const owners = new Owners('client')
    await owners.run(owners.openScope(owners.mint()), () => take(owners))
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

  it('is still the older one after a newer attempt was in vain', async () => {
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

  it('is never a sibling’s for one that asked at the same time in vain', async () => {
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

  it('reaches whoever called the caller, and so is no evidence of who asks again', async () => {
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

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
