import { expect, it } from 'vitest'
import type { Entry } from '../../../chaos/history.js'
import type { OpenClaim } from '../../../chaos/random-use/player/claims.js'
import { Clock } from '../world/clock.js'
import { install } from '../world/install.js'
import { ClaimOracle, type OracleFacts } from './claim-oracle.js'
import type { SimulatedProcess } from './simulated-process.js'

/** Has a process compare twice, of whose two holds one says that it is held. Returns what is written down. */
async function compare({ held, found }: { held: boolean; found: number }): Promise<readonly Entry[]> {
  const uninstall = install()
  try {
    const clock = new Clock()
    const history: Entry[] = []
    const raw = { holdsOf: () => Promise.resolve(found) } as unknown as OracleFacts['raw']
    const claimOf = (hold: string, isHeld: boolean) =>
      ({
        claim: { object: { kind: 'lock', name: 'a' }, number: 1, isHeld: () => isHeld, visit: { hold } },
        clientIds: ['client'],
      }) as unknown as OpenClaim
    const claims = new Set([claimOf('first', held), claimOf('second', false)])
    const process = { claims, host: { loop: clock.outside } } as unknown as SimulatedProcess
    const oracle = new ClaimOracle({ raw, clock, history })
    for (let commands = 0; commands < 2; commands += 1) {
      oracle.look([process])
      await clock.run()
    }
    return history
  } finally {
    uninstall()
  }
}

it('a hold that Redis does not know is written down, once', async () => {
  const look = { type: 'look', at: 0, hold: 'first', claimed: 1, found: 0 }
  expect(await compare({ held: true, found: 0 })).toEqual([look])
})

it.each([
  ['a hold that Redis knows', { held: true, found: 1 }],
  ['a hold that says it is lost', { held: false, found: 0 }],
])('%s is not', async (_, claims) => {
  expect(await compare(claims)).toEqual([])
})
