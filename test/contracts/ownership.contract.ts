import { describe } from 'vitest'
import { leftToDeep } from '../support/left-to-deep.js'
import { LockFixture, LONG_MS, type LockKind } from './lock-fixture.js'
import { acrossProcesses } from './ownership/across-processes.js'
import { carriedByHolds } from './ownership/carried-by-holds.js'
import { contextOfTheProgram } from './ownership/context-of-the-program.js'
import { exclusion } from './ownership/exclusion.js'
import { fourWays } from './ownership/four-ways.js'
import { nesting } from './ownership/nesting.js'
import { plainForm } from './ownership/plain-form.js'
import { requests } from './ownership/requests.js'
import { scopes } from './ownership/scopes.js'
import { strangersToIt } from './ownership/strangers.js'

/** Who holds a lock in a process without threads: what every lock owes its user about that. Call it inside a `describe`. */
export function ownershipContract(kind: LockKind): void {
  describe('as any lock', leftToDeep(kind.parts === 'servers in deep'), () => {
    const bench = new LockFixture(kind)

    requests(bench)
    acrossProcesses(bench)
    if ((kind.parts ?? 'all') !== 'all') return
    // Flows and threads are found by the same code for all kinds.
    describe('a flow', leftToDeep(bench.kindName !== 'plain'), () => {
      fourWays(bench)
      plainForm(bench)
      strangersToIt(bench)
      nesting(bench)
      scopes(bench)
      exclusion(new LockFixture(kind, { lockWatchdogTimeout: LONG_MS }))
      carriedByHolds(bench)
      contextOfTheProgram(bench)
    })
  })
}
