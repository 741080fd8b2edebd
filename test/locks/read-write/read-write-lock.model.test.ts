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
const side = fc.constantFrom('read' as const, 'write' as const)

/** What may happen: two threads of each of two clients do this and that on either side, and the lease may end. */
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('try' as const), owner, side }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('lock' as const), owner, side }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('unlock' as const), owner, side }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('abort' as const), owner, side }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('force' as const), owner, side }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('expire' as const), owner, side }) },
)

type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never
type Mode = Deed['side']

interface Waiting {
  readonly side: Mode
  readonly controller: AbortController
  readonly answer: Promise<boolean>
  granted: boolean
}

/** What a read-write lock is: readers with a count each, or a writer, who may read as well. */
class Model {
  readonly holds = { read: new Map<number, number>(), write: new Map<number, number>() }
  mode: Mode | undefined

  /** Whether an owner may acquire it now. */
  admits(who: number, mode: Mode): boolean {
    if (this.mode === undefined) return true
    if (this.mode === 'read') return mode === 'read'
    return this.holds.write.has(who)
  }

  enter(who: number, mode: Mode): void {
    this.mode ??= mode
    this.holds[mode].set(who, (this.holds[mode].get(who) ?? 0) + 1)
  }

  leave(who: number, mode: Mode): void {
    const left = (this.holds[mode].get(who) ?? 0) - 1
    if (left > 0) this.holds[mode].set(who, left)
    else this.holds[mode].delete(who)
    if (this.holds.write.size === 0) this.mode = this.holds.read.size === 0 ? undefined : 'read'
  }

  free(): void {
    this.mode = undefined
    this.holds.read.clear()
    this.holds.write.clear()
  }
}

describe.each(['reader', 'writer'] as const)(
  'a read-write lock that prefers a %s, with any operations',
  (prefer) => {
    noLeaks(single)
    const clients = twoClients(single)
    let names = 0

    /** Runs a program, and compares the lock with the model after every step. */
    const run = async (program: readonly Deed[]): Promise<void> => {
      const name = `rw-${prefer}-${String((names += 1))}`
      const model = new Model()
      const waiting = new Map<number, Waiting>()
      const clientOf = (who: number) => (who % 2 === 0 ? clients.mine : clients.other)
      const lockOf = (who: number, mode: Mode): RLock => {
        const lock = clientOf(who).getReadWriteLock(name, { prefer })
        return mode === 'read' ? lock.readLock() : lock.writeLock()
      }
      const threadId = (who: number) => 1 + Math.floor(who / 2)
      const ownerOf = (who: number) => `${clientOf(who).id}:${String(threadId(who))}`
      const ask = (command: string, ...args: readonly (string | number)[]) =>
        single.nodes[0].command(command, ...args)

      const writerWaits = () =>
        [...waiting.values()].some(({ side: mode, granted }) => mode === 'write' && !granted)
      const mayEnter = (who: number, mode: Mode) =>
        model.admits(who, mode) &&
        !(
          prefer === 'writer' &&
          mode === 'read' &&
          model.mode === 'read' &&
          writerWaits() &&
          !model.holds.read.has(who)
        )

      /** Records who has acquired it, and demands that no owner waits without need. */
      const settle = async (): Promise<void> => {
        await eventually(
          () => {
            for (const [who, one] of waiting) {
              if (!one.granted) continue
              if (!model.admits(who, one.side))
                throw new RangeError(`${String(who)} was let in to ${one.side}`)
              model.enter(who, one.side)
              waiting.delete(who)
            }
            for (const [who, one] of waiting) if (mayEnter(who, one.side)) return false
            return true
          },
          { what: 'all owners to hold it that may' },
        )
      }

      const demandAgreement = async (): Promise<void> => {
        await settle()
        const expected: Record<string, string> = model.mode === undefined ? {} : { mode: model.mode }
        const markers: string[] = []
        for (const [who, count] of model.holds.read) {
          expected[ownerOf(who)] = String(count)
          for (let number = 1; number <= count; number += 1)
            markers.push(`{${name}}:${ownerOf(who)}:rwlock_timeout:${String(number)}`)
        }
        for (const [who, count] of model.holds.write) expected[`${ownerOf(who)}:write`] = String(count)
        const flat = (await ask('HGETALL', name)) as string[]
        const hash = Object.fromEntries(
          flat.flatMap((field, at) => (at % 2 === 0 ? [[field, flat[at + 1]]] : [])),
        )
        const besides = (await ask('KEYS', `{${name}}:*`)) as string[]
        expect({ hash, besides: besides.toSorted() }).toEqual({ hash: expected, besides: markers.toSorted() })
      }

      const act = async ({ does, owner: who, side: mode }: Deed): Promise<void> => {
        const lock = lockOf(who, mode)
        const thread = { threadId: threadId(who) }
        if (waiting.has(who) && does !== 'abort') return
        switch (does) {
          case 'try': {
            const expected = mayEnter(who, mode)
            expect(await lock.tryLock({ ...thread, leaseMs: LEASE_MS })).toBe(expected)
            if (expected) model.enter(who, mode)
            return
          }
          case 'lock': {
            if (mayEnter(who, mode)) {
              await lock.lock({ ...thread, leaseMs: LEASE_MS })
              model.enter(who, mode)
              return
            }
            if (model.holds.read.has(who)) return // it would wait for itself, which other tests show
            const controller = new AbortController()
            const { signal } = controller
            const asked = Promise.withResolvers<void>()
            const locked = elsewhere(() => lock.lock({ ...thread, leaseMs: LEASE_MS, signal }))
            const one: Waiting = {
              side: mode,
              controller,
              granted: false,
              answer: locked.then(
                () => (one.granted = true),
                () => false,
              ),
            }
            waiting.set(who, one)
            asked.resolve()
            await lockOf(who, mode).isLocked() // after its first attempt, on the same connection
            return
          }
          case 'unlock': {
            const refused = await lock.unlock(thread).then(() => false, demandNotHeld)
            expect(refused).toBe(!model.holds[mode].has(who))
            if (!refused) model.leave(who, mode)
            return
          }
          case 'abort': {
            const one = waiting.get(who)
            if (one === undefined) return
            one.controller.abort()
            expect(await one.answer).toBe(false)
            waiting.delete(who)
            await lockOf(who, mode).isLocked() // after its message, on the same connection
            return
          }
          case 'force':
            expect(await lock.forceUnlock()).toBe(model.mode === mode)
            if (model.mode === mode) model.free()
            return
          case 'expire':
            if (waiting.size > 0) return // those who wait notice a while later, which other tests show
            await ask('DEL', name, ...((await ask('KEYS', `{${name}}:*`)) as string[]))
            model.free()
        }
      }

      try {
        for (const next of program) {
          await act(next)
          await demandAgreement()
        }
      } finally {
        for (const { controller } of waiting.values()) controller.abort()
        await Promise.all([...waiting.values()].map(({ answer }) => answer))
        for (const mode of ['read', 'write'] as const) await lockOf(0, mode).forceUnlock()
        await eventually(async () => ((await ask('KEYS', `*{${name}}*`)) as string[]).every(isLatch))
      }
    }

    it('is what its model is', { timeout: 30_000 }, async () => {
      await fc.assert(fc.asyncProperty(fc.array(deed, { maxLength: 24 }), withinTime(6_000, run)), {
        numRuns: 120,
      })
    })
  },
)

function isLatch(key: string): boolean {
  return key.startsWith('redisson_unlock_latch:')
}

function demandNotHeld(error: unknown): true {
  if (isRedissonError(error, 'NOT_HELD')) return true
  throw error
}
