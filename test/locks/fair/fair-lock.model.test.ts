import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isRedissonError, type RLock } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { withinTime } from '../../support/within-time.js'

const LEASE_MS = 60_000

const owner = fc.integer({ min: 0, max: 3 })

/** What may happen: two threads of each of two clients do this and that, and the lease may end. */
const deed = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constant('try' as const), owner }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('lock' as const), owner }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('unlock' as const), owner }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('abort' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('force' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('expire' as const), owner }) },
)

type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never

/** What a fair lock is: a holder with a count, and those who wait in their order. */
class Model {
  holder: number | undefined
  count = 0
  readonly line: number[] = []

  /** Whether an owner may acquire it now. */
  admits(who: number): boolean {
    return this.holder === who || (this.holder === undefined && this.line.length === 0)
  }

  enter(who: number): void {
    this.holder = who
    this.count += 1
  }

  leave(): void {
    this.count -= 1
    if (this.count === 0) this.free()
  }

  free(): void {
    this.count = 0
    this.holder = this.line.shift()
    if (this.holder !== undefined) this.count = 1
  }

  quit(who: number): void {
    this.line.splice(this.line.indexOf(who), 1)
  }
}

describe('a fair lock, with any operations', () => {
  noLeaks(single)
  const clients = twoClients(single)
  let names = 0

  /** Runs a program, and compares the lock with the model after every step. */
  const run = async (program: readonly Deed[]): Promise<void> => {
    const name = `fair-${String((names += 1))}`
    const model = new Model()
    const aborts = new Map<
      number,
      { readonly controller: AbortController; readonly answer: Promise<boolean> }
    >()
    const clientOf = (who: number) => (who % 2 === 0 ? clients.mine : clients.other)
    const lockOf = (who: number): RLock => clientOf(who).getFairLock(name)
    const threadId = (who: number) => 1 + Math.floor(who / 2)
    const ownerOf = (who: number) => `${clientOf(who).id}:${String(threadId(who))}`
    const ask = (command: string, ...args: readonly (string | number)[]) =>
      single.nodes[0].command(command, ...args)

    const demandAgreement = async (): Promise<void> => {
      const line = model.line.map(ownerOf)
      const expected = {
        hash: model.holder === undefined ? [] : [ownerOf(model.holder), String(model.count)],
        line,
        timed: line.toSorted(),
        alive: line.toSorted(),
      }
      await eventually(
        async () => {
          const [hash, queue, timed, alive] = (await Promise.all([
            ask('HGETALL', name),
            ask('LRANGE', `redisson_lock_queue:{${name}}`, 0, -1),
            ask('ZRANGE', `redisson_lock_timeout:{${name}}`, 0, -1),
            ask('ZRANGE', `redisson_lock_heartbeat:{${name}}`, 0, -1),
          ])) as string[][]
          expect({ hash, line: queue, timed: timed?.toSorted(), alive: alive?.toSorted() }).toEqual(expected)
        },
        // A waiter does not listen while its own process holds the lock; what another process does then it hears within 1.2 s.
        { what: 'the lock to be as the model says' },
      )
      const { holder } = model
      const waited = holder === undefined ? undefined : aborts.get(holder)
      if (holder === undefined || waited === undefined) return
      aborts.delete(holder)
      expect(await waited.answer).toBe(true)
    }

    const act = async ({ does, owner: who }: Deed): Promise<void> => {
      const lock = lockOf(who)
      const thread = { threadId: threadId(who) }
      switch (does) {
        case 'try': {
          if (aborts.has(who)) return
          const expected = model.admits(who)
          expect(await lock.tryLock({ ...thread, leaseMs: LEASE_MS })).toBe(expected)
          if (expected) model.enter(who)
          return
        }
        case 'lock': {
          if (aborts.has(who)) return
          if (model.admits(who)) {
            await lock.lock({ ...thread, leaseMs: LEASE_MS })
            model.enter(who)
            return
          }
          const controller = new AbortController()
          const { signal } = controller
          const locked = elsewhere(() => lock.lock({ ...thread, leaseMs: LEASE_MS, signal }))
          aborts.set(who, {
            controller,
            answer: locked.then(
              () => true,
              () => false,
            ),
          })
          model.line.push(who)
          return
        }
        case 'unlock': {
          if (aborts.has(who)) return
          const refused = await lock.unlock(thread).then(() => false, demandNotHeld)
          expect(refused).toBe(model.holder !== who)
          if (!refused) model.leave()
          return
        }
        case 'abort': {
          const waiting = aborts.get(who)
          if (waiting === undefined) return
          waiting.controller.abort()
          expect(await waiting.answer).toBe(false)
          aborts.delete(who)
          model.quit(who)
          return
        }
        case 'force':
          expect(await lock.forceUnlock()).toBe(model.holder !== undefined)
          if (model.holder !== undefined) model.free()
          return
        case 'expire':
          if (model.line.length > 0) return // those who wait notice a while later, which other tests show
          await ask('DEL', name)
          model.free()
      }
    }

    try {
      for (const next of program) {
        await act(next)
        await demandAgreement()
      }
    } finally {
      for (const { controller } of aborts.values()) controller.abort()
      await Promise.all([...aborts.values()].map(({ answer }) => answer))
      await lockOf(0).forceUnlock()
      await eventually(async () => ((await ask('KEYS', `*_lock_*{${name}}`)) as string[]).length === 0)
    }
  }

  it('is what its model is', { timeout: 30_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(deed, { maxLength: 24 }), withinTime(8_000, run)), {
      numRuns: 120,
    })
  })
})

function demandNotHeld(error: unknown): true {
  if (isRedissonError(error, 'NOT_HELD')) return true
  throw error
}
