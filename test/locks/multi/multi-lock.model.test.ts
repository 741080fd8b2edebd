import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LockHold, RedissonClient, RLock } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { elsewhere } from '../../support/elsewhere.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { withinTime } from '../../support/within-time.js'

const LOCKS = 4
const OWNERS = 4

/** What an owner may do next: try for some of the locks, or give back what it has. */
interface Step {
  readonly owner: number
  readonly wants: readonly number[]
  readonly leaseMs: number
}

const step: fc.Arbitrary<Step> = fc.record({
  owner: fc.nat(OWNERS - 1),
  wants: fc
    .subarray([0, 1, 2, 3], { minLength: 1 })
    .chain((some) => fc.shuffledSubarray(some, { minLength: some.length })),
  leaseMs: fc.constantFrom(0, 60_000),
})

type Take = (
  client: RedissonClient,
  program: string,
  wants: readonly number[],
) => Pick<RLock, 'tryAcquire' | 'withLock'>

const ways: readonly (readonly [string, Take])[] = [
  [
    'a multi-lock',
    (client, program, wants) =>
      client.getMultiLock(...wants.map((each) => client.getLock(`${program}-${String(each)}`))),
  ],
  [
    'a lock of values of a group',
    (client, program, wants) => client.getMultiLock(program, wants.map(String)),
  ],
]

describe.each(ways)('%s', (_, lockOf) => {
  noLeaks(single)
  const clients = twoClients(single)
  const clientOf = (owner: number) => clients[owner % 2 === 0 ? 'mine' : 'other']
  let programs = 0
  const newProgram = () => {
    programs += 1
    return `program-${String(programs)}`
  }

  it('is all of its locks or none, for any callers and members', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 20 }),
        withinTime(2_000, async (steps) => {
          const program = newProgram()
          /** Who holds which lock. */
          const holders = new Map<number, number>()
          const holds = new Map<number, LockHold>()
          for (const { owner, wants, leaseMs } of steps) {
            const held = holds.get(owner)
            if (held !== undefined) {
              await held.unlock()
              holds.delete(owner)
              for (const [lock, holder] of holders) if (holder === owner) holders.delete(lock)
            } else {
              const hold = await lockOf(clientOf(owner), program, wants).tryAcquire({ leaseMs })
              expect(hold !== undefined).toBe(wants.every((lock) => !holders.has(lock)))
              if (hold === undefined) continue
              holds.set(owner, hold)
              for (const lock of wants) holders.set(lock, owner)
            }
            const free = Array.from({ length: LOCKS }, async (_none, lock) => {
              const hold = await lockOf(clientOf(owner), program, [lock]).tryAcquire()
              await hold?.unlock()
              return hold !== undefined
            })
            expect(await Promise.all(free)).toEqual(
              Array.from({ length: LOCKS }, (_none, lock) => !holders.has(lock)),
            )
          }
          for (const hold of holds.values()) await hold.unlock()
        }),
      ),
      { numRuns: 100 },
    )
  })

  it('is acquired by all waiters, for any order of its locks, and by one at a time', async () => {
    const flow = fc.array(step, { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(flow, { minLength: 2, maxLength: 6 }),
        withinTime(2_000, async (flows) => {
          const program = newProgram()
          const inside = new Map<number, number>()
          const visit = async (steps: readonly Step[], owner: number) => {
            for (const { wants } of steps) {
              await lockOf(clientOf(owner), program, wants).withLock(async () => {
                for (const lock of wants) {
                  expect(inside.get(lock)).toBeUndefined()
                  inside.set(lock, owner)
                }
                await Promise.resolve()
                for (const lock of wants) inside.delete(lock)
              })
            }
          }
          await Promise.all(flows.map((steps, owner) => elsewhere(() => visit(steps, owner))))
        }),
      ),
      { numRuns: 100 },
    )
  })
})
