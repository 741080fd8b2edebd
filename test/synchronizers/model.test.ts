import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RPermitExpirableSemaphore, RSemaphore } from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { noLeaks } from '../support/no-leaks.js'
import { topologies } from '../support/topologies.js'
import { LATCHES } from './bench.js'

/** How many sequences of moves are tried on each topology. */
const RUNS = { numRuns: 15 }

const LONG_MS = 600_000

/** What a semaphore should be: a number, or nothing. */
class SemaphoreModel {
  value: number | undefined

  get available(): number {
    return this.value ?? 0
  }

  tryAcquire(permits: number): boolean {
    if (permits > 0 && this.available < permits) return false
    if (permits > 0) this.value = this.available - permits
    return true
  }

  release(permits: number): void {
    if (permits !== 0) this.value = this.available + permits
  }

  addPermits(permits: number): void {
    this.value = this.available + permits
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
    const drained = this.available
    if (this.value !== undefined) this.value = 0
    return drained
  }

  delete(): boolean {
    const existed = this.value !== undefined
    this.value = undefined
    return existed
  }
}

/** What is done to a semaphore, and by which of two clients. */
const semaphoreMoves = fc.array(
  fc.record({
    client: fc.nat(1),
    what: fc.constantFrom(
      'tryAcquire',
      'release',
      'releaseIfExists',
      'addPermits',
      'takePermits',
      'trySetPermits',
      'drainPermits',
      'delete',
    ),
    permits: fc.nat(5),
  }),
  { maxLength: 60 },
)

type SemaphoreMove = typeof semaphoreMoves extends fc.Arbitrary<(infer M)[]> ? M : never

/** Does the same to both, which have to answer the same. */
async function move(semaphore: RSemaphore, model: SemaphoreModel, { what, permits }: SemaphoreMove) {
  switch (what) {
    case 'tryAcquire':
      expect(await semaphore.tryAcquire(permits)).toBe(model.tryAcquire(permits))
      return
    case 'release':
      await semaphore.release(permits)
      model.release(permits)
      return
    case 'releaseIfExists':
      expect(await semaphore.releaseIfExists(permits)).toBe(model.releaseIfExists(permits))
      return
    case 'addPermits':
      await semaphore.addPermits(permits)
      model.addPermits(permits)
      return
    case 'takePermits':
      await semaphore.addPermits(-permits)
      model.addPermits(-permits)
      return
    case 'trySetPermits':
      expect(await semaphore.trySetPermits(permits)).toBe(model.trySetPermits(permits))
      return
    case 'drainPermits':
      expect(await semaphore.drainPermits()).toBe(model.drainPermits())
      return
    case 'delete':
      expect(await semaphore.delete()).toBe(model.delete())
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

describe.each(topologies)('after whatever was done to it ($kind)', (topology) => {
  const clients = twoClients(topology)
  noLeaks(topology, LATCHES)
  let names = 0

  it('a semaphore is what it should be', async () => {
    const property = fc.asyncProperty(semaphoreMoves, async (moves) => {
      const name = `model-${String(names++)}`
      const objects = [clients.mine.getSemaphore(name), clients.other.getSemaphore(name)] as const
      const model = new SemaphoreModel()
      for (const each of moves) {
        await move(objects[each.client as 0 | 1], model, each)
        expect(await objects[0].availablePermits()).toBe(model.available)
      }
      await objects[0].delete()
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
