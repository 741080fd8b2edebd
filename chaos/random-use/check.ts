import type { Entry } from '../history.js'
import { checkClosings } from './check/closings.js'
import { checkData } from './check/data.js'
import { checkErrors } from './check/errors.js'
import { checkFires } from './check/fires.js'
import { checkLooks } from './check/looks.js'
import { checkRates } from './check/rates.js'
import { checkResources } from './check/resources.js'
import { checkTroubles } from './check/troubles.js'
import { checkTurns } from './check/turns.js'
import type { Breach, Conditions } from './check/breach.js'

export type { Breach, Conditions } from './check/breach.js'

const CHECKS = [
  checkTroubles,
  checkResources,
  checkLooks,
  checkErrors,
  checkRates,
  checkFires,
  checkTurns,
  checkClosings,
  checkData,
]

/** Compares what the processes of a round have seen with what the guide promises. */
export function checkRound(entries: readonly Entry[], conditions: Conditions): Breach[] {
  return CHECKS.flatMap((check) => check(entries, conditions))
}
