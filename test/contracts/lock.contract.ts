import { describe } from 'vitest'
import { leftToDeep } from '../support/left-to-deep.js'
import { aborting } from './lock/aborting.js'
import { badArguments } from './lock/bad-arguments.js'
import { LockFixture, type LockKind } from './lock-fixture.js'
import { counting } from './lock/counting.js'
import { extending } from './lock/extending.js'
import { forcing } from './lock/forcing.js'
import { givingBack } from './lock/giving-back.js'
import { holds } from './lock/holds.js'
import { leases } from './lock/leases.js'
import { names } from './lock/names.js'
import { reentry } from './lock/reentry.js'
import { shuttingDown } from './lock/shutting-down.js'
import { taking } from './lock/taking.js'
import { waiting } from './lock/waiting.js'
import { withLock } from './lock/with-lock.js'
import { wrongTypes } from './lock/wrong-types.js'

/**
 * What every kind of `RLock` guarantees. Call it inside a `describe`.
 *
 * Who counts as the holder has a contract of its own, `ownership.contract.ts`.
 */
export function lockContract(kind: LockKind): void {
  const isWhole = (kind.parts ?? 'all') === 'all'

  describe('as any lock', leftToDeep(kind.parts === 'servers in deep'), () => {
    const bench = new LockFixture(kind)

    taking(bench)
    leases(bench)
    waiting(bench)
    aborting(bench)
    forcing(bench)
    if (!bench.shared) counting(bench)
    names(bench)
    shuttingDown(bench, !isWhole)
    if (!isWhole) return
    givingBack(bench)
    if (bench.reentrant) reentry(bench)
    holds(bench)
    extending(bench)
    withLock(bench)
    badArguments(bench)
    wrongTypes(bench)
  })
}
