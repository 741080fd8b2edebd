import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RPermitExpirableSemaphore, RSemaphore } from '../../../src/index.js'
import { untilAwaited } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of moves are tried on each topology. */
const RUNS = { numRuns: 15 }

const LONG_MS = 600_000

/** More than there will ever be. */
const TOO_MANY = 1_000_000

/** What a semaphore should be: a number, or nothing. */
class SemaphoreModel {
  value: number | undefined

  availablePermits(): number {
    return this.value ?? 0
  }

  tryAcquire(permits: number): boolean {
    if (permits > 0 && this.availablePermits() < permits) return false
    if (permits > 0) this.value = this.availablePermits() - permits
    return true
  }

  release(permits: number): void {
    if (permits !== 0) this.value = this.availablePermits() + permits
  }

  addPermits(permits: number): void {
    this.value = this.availablePermits() + permits
  }

  releaseIfExists(permits: number): boolean {
    if (this.value === undefined || permits === 0) return false
    this.value += permits
    return true
  }

  trySetPermits(permits: number): boolean {
    if (this.value !== undefined) return false
    this.value = permits
    return true
  }

  drainPermits(): number {
    const drained = this.availablePermits()
    if (this.value !== undefined) this.value = 0
    return drained
  }

  delete(): boolean {
    const existed = this.value !== undefined
    this.value = undefined
    return existed
  }
}

const MOVES = [
  'tryAcquire',
  'release',
  'releaseIfExists',
  'addPermits',
  'takePermits',
  'trySetPermits',
  'drainPermits',
  'delete',
  'availablePermits',
] as const

/** What is done to a semaphore, by which of two clients, and whether the event loop turns after it. */
const semaphoreMove = fc.record({
  client: fc.nat(1),
  what: fc.constantFrom(...MOVES),
  permits: fc.nat(5),
  turns: fc.boolean(),
})

const semaphoreMoves = fc.array(semaphoreMove, { maxLength: 60 })

/** The same, with as many releases as all else together. */
const releasesAndMoves = fc.array(
  fc.oneof(
    semaphoreMove,
    semaphoreMove.map((move) => ({ ...move, what: 'release' as const })),
  ),
  { maxLength: 60 },
)

interface SemaphoreMove {
  readonly what: (typeof MOVES)[number]
  readonly permits: number
}

/** Does it to a semaphore or to a model, which have to return the same. */
function move(object: RSemaphore | SemaphoreModel, { what, permits }: SemaphoreMove): unknown {
  switch (what) {
    case 'takePermits':
      return object.addPermits(-permits)
    case 'drainPermits':
    case 'delete':
    case 'availablePermits':
      return object[what]()
    default:
      return object[what](permits)
  }
}

/** What a semaphore whose permits can expire should be, while none of them does. */
interface PermitsModel {
  total: number
  readonly lent: string[]
  readonly returned: string[]
}

/** What is done to a semaphore whose permits can expire. */
const permitMoves = fc.array(
  fc.record({
    client: fc.nat(1),
    what: fc.constantFrom('acquire', 'lease', 'release', 'releaseTwice', 'setPermits', 'addPermits', 'relet'),
    permits: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 60 },
)

type PermitMove = typeof permitMoves extends fc.Arbitrary<(infer M)[]> ? M : never

async function movePermits(
  semaphore: RPermitExpirableSemaphore,
  model: PermitsModel,
  { what, permits }: PermitMove,
) {
  const { lent, returned } = model
  switch (what) {
    case 'acquire':
    case 'lease': {
      const ids = await semaphore.tryAcquireMany(permits, what === 'lease' ? { leaseMs: LONG_MS } : {})
      expect(ids?.length).toBe(model.total - lent.length >= permits ? permits : undefined)
      lent.push(...(ids ?? []))
      return
    }
    case 'release': {
      const ids = lent.slice(0, permits)
      if (ids.length === 0) return
      expect(await semaphore.tryRelease(ids)).toBe(true)
      returned.push(...lent.splice(0, ids.length))
      return
    }
    case 'releaseTwice': {
      const ids = [...lent.slice(0, permits - 1), ...returned.slice(0, 1)]
      if (returned.length > 0) expect(await semaphore.tryRelease(ids)).toBe(false)
      return
    }
    case 'setPermits':
      model.total = permits * 2
      await semaphore.setPermits(model.total)
      return
    case 'addPermits':
      model.total += permits - 2
      await semaphore.addPermits(permits - 2)
      return
    case 'relet': {
      const [id] = lent
      if (id !== undefined) expect(await semaphore.updateLeaseTime(id, LONG_MS)).toBe(true)
    }
  }
}

describe.each(topologies)('after any operations ($kind)', (topology) => {
  const clients = twoClients(topology)
  noLeaks(topology)
  let names = 0

  it('a semaphore is what it should be', async () => {
    const property = fc.asyncProperty(semaphoreMoves, async (moves) => {
      const name = `model-${String(names++)}`
      const objects = [clients.mine.getSemaphore(name), clients.other.getSemaphore(name)] as const
      const model = new SemaphoreModel()
      for (const each of moves) {
        expect(await move(objects[each.client as 0 | 1], each)).toBe(move(model, each))
        expect(await objects[0].availablePermits()).toBe(model.availablePermits())
      }
      await objects[0].delete()
    })
    await fc.assert(property, RUNS)
  })

  it('a semaphore is what it should be, where calls are not waited for and others wait in line', async () => {
    const property = fc.asyncProperty(releasesAndMoves, async (moves) => {
      const semaphore = clients.mine.getSemaphore(`model-${String(names++)}`)
      for (const what of MOVES) await move(semaphore, { what, permits: 1 }) // so that the server knows the scripts
      await semaphore.delete()
      await semaphore.trySetPermits(0)
      const leave = new AbortController()
      const waiting = semaphore.acquire({ permits: TOO_MANY, signal: leave.signal }).catch(() => undefined)
      await untilAwaited(topology, semaphore.name)
      const model = new SemaphoreModel()
      model.trySetPermits(0)
      const answers: unknown[] = []
      const expected: unknown[] = []
      for (const each of moves) {
        answers.push(move(semaphore, each))
        expected.push(move(model, each))
        if (each.turns) await nextTurn()
      }
      expect(await Promise.all(answers)).toEqual(expected)
      expect(await semaphore.availablePermits()).toBe(model.availablePermits())
      leave.abort(new Error('enough'))
      await waiting
      await semaphore.delete()
    })
    await fc.assert(property, RUNS)
  })

  it('a semaphore whose permits can expire is what it should be', async () => {
    const property = fc.asyncProperty(permitMoves, async (moves) => {
      const name = `model-${String(names++)}`
      const [mine, theirs] = [clients.mine, clients.other].map((client) =>
        client.getPermitExpirableSemaphore(name),
      ) as [RPermitExpirableSemaphore, RPermitExpirableSemaphore]
      const model: PermitsModel = { total: 5, lent: [], returned: [] }
      await mine.trySetPermits(model.total)
      for (const each of moves) {
        await movePermits(each.client === 0 ? mine : theirs, model, each)
        const counts = [await mine.availablePermits(), await theirs.acquiredPermits()]
        expect(counts).toEqual([model.total - model.lent.length, model.lent.length])
        expect(await mine.getPermits()).toBe(model.total)
      }
      await mine.delete()
    })
    await fc.assert(property, RUNS)
  })
})
