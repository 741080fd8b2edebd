import { aborting } from './lock/aborting.js'
import { badArguments } from './lock/bad-arguments.js'
import { Bench, type LockKind } from './bench.js'
import { counting } from './lock/counting.js'
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
 * What every `RLock` owes its user, whatever its kind. Call it inside a `describe`.
 *
 * Who counts as the holder has a contract of its own, `ownership.contract.ts`.
 */
export function lockContract(kind: LockKind): void {
  const bench = new Bench(kind)

  taking(bench)
  leases(bench)
  waiting(bench)
  aborting(bench)
  forcing(bench)
  if (!bench.shared) counting(bench)
  names(bench)
  shuttingDown(bench)
  if (kind.parts === 'servers') return
  givingBack(bench)
  if (bench.reentrant) reentry(bench)
  holds(bench)
  withLock(bench)
  badArguments(bench)
  wrongTypes(bench)
}
