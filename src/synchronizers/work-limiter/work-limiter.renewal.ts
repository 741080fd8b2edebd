import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { workLimiterKeys } from '../../core/context/names.js'
import type { Lease, RenewalKind } from '../../renewal/lease.js'
import { renew } from './work-limiter.scripts.js'

/** How many places one script renews at most: while it runs, Redis does nothing else. */
const MOST_PLACES = 5000

/** Some of the places of a lease. */
interface Part {
  readonly lease: Lease
  readonly owner: string
  readonly count: number
}

/** Renews the places of functions. The owner of such a lease is the request that has taken them, with the number of the first and how many. */
export function workRenewal(executor: CommandExecutor): RenewalKind {
  return {
    name: 'work',
    divisible: true,
    async renew(leases, leaseMs, deadline) {
      const lost = new Set<Lease>()
      for (const parts of callsOf(leases.flatMap(partsOf))) {
        const call = {
          keys: { places: parts.map(({ lease }) => workLimiterKeys(lease.name).places) },
          args: { leaseMs, owners: parts.map(({ owner }) => owner) },
        }
        const held = await executor.run(renew, call, { deadline, divisible: leases.length > 1 })
        for (const [index, { lease }] of parts.entries()) if (held[index] !== 1) lost.add(lease)
      }
      return leases.map((lease) => !lost.has(lease))
    },
  }
}

/** Divides the places of a lease that has too many for one script. */
function partsOf(lease: Lease): readonly Part[] {
  const [id = '', first, count] = lease.owner.split(' ')
  const end = Number(first) + Number(count)
  const parts: Part[] = []
  for (let from = Number(first); from < end; from += MOST_PLACES) {
    const some = Math.min(MOST_PLACES, end - from)
    parts.push({ lease, owner: `${id} ${from} ${some}`, count: some })
  }
  return parts
}

/** Puts parts together, as many as one script may renew. */
function callsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const calls: Part[][] = []
  let places = Infinity
  for (const part of parts) {
    places += part.count
    if (places > MOST_PLACES) {
      calls.push([])
      places = part.count
    }
    calls.at(-1)?.push(part)
  }
  return calls
}
