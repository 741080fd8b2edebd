import { integer, pairs, tuple } from '../../command/operation/replies.js'
import type { Reply } from '../../connection/connection.js'
import { shown, type Limit } from '../shared/limits.js'
import type { GcraResult, ResolvedGcraLimit } from './gcra-rate-limiter.api.js'

/** How many cells of a limit are left, and milliseconds until none is used. */
export type Rest = readonly [left: number, unusedMs: number]

/** What the algorithm says of a request. */
export interface Verdict {
  readonly passes: boolean
  /** Milliseconds until it passes; Infinity if it costs more than a burst, so that it never does. */
  readonly retryMs: number
  /** Which limit lets it pass last, from 1; 0 if none refuses it. */
  readonly refusing: number
  /** In the order of the limits. */
  readonly rests: readonly Rest[]
}

/** What a script says of a request. */
export interface Decision extends Verdict {
  /** From when on it passes, in microseconds of the server's clock. */
  readonly turn: number
}

const head = tuple(integer, integer, integer, integer)

const restsOf = pairs(integer, integer)

/** Reads what a script has decided: see `replyOf` of the scripts. */
export function decision(reply: Reply): Decision {
  const [passes, retryMs, refusing, turn] = head(reply)
  const rests = restsOf((reply as readonly Reply[]).slice(4))
  return { passes: passes === 1, retryMs, refusing, turn, rests }
}

/** What a limit says some milliseconds later, if no other request comes. Of the cells that are left then one may not be counted yet. */
export function restAfter(
  [left, unusedMs]: Rest,
  { limit, perMs, burst }: ResolvedGcraLimit,
  ms: number,
): Rest {
  const leftMs = Math.max(unusedMs - ms, 0)
  return [Math.max(left, Math.floor(burst - (leftMs * limit) / perMs)), leftMs]
}

/** Shows a verdict to the program. */
export function resultOf(
  { passes, retryMs, refusing, rests }: Verdict,
  limits: readonly Limit[],
  degraded: boolean,
): GcraResult {
  const refusedBy = passes ? undefined : limits[refusing - 1]
  return {
    allowed: passes,
    remaining: Math.min(...rests.map(([left]) => left)),
    retryAfterMs: retryMs,
    resetAfterMs: Math.max(...rests.map(([, unusedMs]) => unusedMs)),
    refusedBy: refusedBy && shown(refusedBy),
    limits: rests.map(([remaining, resetAfterMs], index) => ({
      ...shown(limits[index] as Limit),
      remaining,
      resetAfterMs,
    })),
    degraded,
  }
}
