import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FencedHold } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'
import { withinTime } from '../../support/within-time.js'

/** What an owner may do next. */
type Step =
  | { readonly does: 'try' | 'unlock' | 'force' | 'read'; readonly owner: number }
  | { readonly does: 'give back' | 'race' | 'forget' }

const OWNERS = 3

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constantFrom(
      'try' as const,
      'try' as const,
      'unlock' as const,
      'force' as const,
      'read' as const,
    ),
    owner: fc.nat(OWNERS - 1),
  }),
  fc.record({
    does: fc.constantFrom('give back' as const, 'give back' as const, 'race' as const, 'forget' as const),
  }),
)

describe('the tokens of a fenced lock', () => {
  noLeaks(single, { keeps: /^redisson_lock_token:/ })
  const clients = twoClients(single)
  let programs = 0

  it('grow with each new owner, stay otherwise, and never reach an old hold, after any operations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60, size: 'max' }),
        withinTime(4_000, async (steps) => {
          programs += 1
          const name = `program-${String(programs)}`
          /** One lock for each owner; of two clients. */
          const locks = Array.from({ length: OWNERS }, (_, owner) =>
            clients[owner % 2 === 0 ? 'mine' : 'other'].getFencedLock(name),
          )
          const at = (owner: number) => locks[owner] as (typeof locks)[number]
          const model = { holder: undefined as number | undefined, last: 0 }
          const holds: (FencedHold | undefined)[] = []
          const given = new Map<FencedHold, number>()
          const took = (owner: number, hold: FencedHold) => {
            expect(hold.fencingToken).toBe(model.last + 1)
            model.holder = owner
            model.last = hold.fencingToken
            holds[owner] = hold
            given.set(hold, hold.fencingToken)
          }
          for (const now of steps) {
            switch (now.does) {
              case 'try': {
                const hold = await at(now.owner).tryAcquire({ leaseMs: 60_000 })
                expect(hold !== undefined).toBe(model.holder === undefined)
                if (hold !== undefined) took(now.owner, hold)
                break
              }
              case 'unlock': {
                const hold = holds[now.owner]
                if (hold === undefined) break
                const unlocked = await hold.unlock().then(
                  () => true,
                  () => false,
                )
                expect(unlocked).toBe(model.holder === now.owner)
                if (unlocked) model.holder = undefined
                holds[now.owner] = undefined
                break
              }
              case 'give back': {
                if (model.holder === undefined) break
                await holds[model.holder]?.unlock()
                holds[model.holder] = undefined
                model.holder = undefined
                break
              }
              case 'force':
                expect(await at(now.owner).forceUnlock()).toBe(model.holder !== undefined)
                if (model.holder !== undefined && model.holder % 2 === now.owner % 2)
                  holds[model.holder] = undefined
                model.holder = undefined
                break
              case 'read':
                expect(await at(now.owner).getToken()).toBe(model.last)
                break
              case 'forget': // the server forgets its scripts, but not its keys
                await single.nodes[0].command('SCRIPT', 'FLUSH')
                break
              case 'race': {
                const wins = await Promise.all(locks.map((lock) => lock.tryAcquire({ leaseMs: 60_000 })))
                const winners = wins.flatMap((hold, owner) => (hold === undefined ? [] : [{ hold, owner }]))
                expect(winners).toHaveLength(model.holder === undefined ? 1 : 0)
                for (const { hold, owner } of winners) took(owner, hold)
              }
            }
            for (const [hold, token] of given) expect(hold.fencingToken).toBe(token)
          }
          await at(0).forceUnlock()
        }),
      ),
      { numRuns: 150 },
    )
  })
})
