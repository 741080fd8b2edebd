import { describe, expect, it } from 'vitest'
import type { Patience } from '../../../src/core/arguments/arguments.js'
import { Layout } from '../../../src/counters/snowflake/layout.js'
import { NodeIds } from '../../../src/counters/snowflake/node-ids.js'
import { NodeNumber } from '../../../src/counters/snowflake/node-number.js'
import type { NodeRequests } from '../../../src/counters/snowflake/node-requests.js'
import { Lease } from '../../../src/renewal/lease.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const SERVER_MS = Date.UTC(2030)
const LEASE_MS = 60_000

const kind = { name: 'node-number', renew: () => Promise.resolve([]) }
const layout = Layout.of({})
const patience: Patience = { waitMs: LEASE_MS, deadline: Deadline.after(LEASE_MS), signal: undefined }

/** A number that was given back, and the last millisecond that its holder said that it had used. */
interface GivenBack {
  readonly node: number
  readonly usedMs: number
}

describe('the ids of a snowflake in a client', () => {
  /** Numbers are granted one after the other, each from the millisecond on that follows those that are asked for. */
  const idsOf = ({ replies }: { readonly replies?: Promise<unknown> } = {}) => {
    const givenBack: GivenBack[] = []
    let node = 0
    const requests: Pick<NodeRequests, 'acquire' | 'release'> = {
      acquire: async (afterMs) => {
        await replies
        const from = Math.max(SERVER_MS, afterMs + 1)
        const window = { from, until: from + LEASE_MS, serverMs: SERVER_MS, sentAt: performance.now() }
        return { node: node++, token: `token ${String(node)}`, ...window }
      },
      release: (number) => {
        if (number !== undefined) givenBack.push({ node: number.node, usedMs: number.usedMs })
        return Promise.resolve()
      },
    }
    const ids = new NodeIds({
      name: 'ids',
      requests: requests as NodeRequests,
      closing: new AbortController().signal,
      numberOf: (taken, clock, onLost) =>
        new NodeNumber(taken, {
          object: 'ids',
          layout,
          leaseOf: (holder) => new Lease({ kind, name: 'ids', owner: taken.token, slot: 0 }, holder),
          leaseMs: LEASE_MS,
          onLost,
          clock,
        }),
      track: () => undefined,
      untrack: () => undefined,
    })
    return { ids, givenBack }
  }

  it.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'are none of a number that was given back %i microtasks after the reply that granted it',
    async (turns) => {
      const reply = Promise.withResolvers<unknown>()
      const { ids, givenBack } = idsOf({ replies: reply.promise })
      const next = ids.next(1, patience) as Promise<bigint[]>
      reply.resolve(undefined)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      const released = ids.release()
      const [id = 0n] = await next
      await released
      await ids.settled()
      const { time, node } = layout.partsOf(id)
      const last = givenBack.find((each) => each.node === node)
      expect(last?.usedMs).toBeGreaterThanOrEqual(time.getTime())
    },
  )

  it('rise when a number is given back and another one is taken in its millisecond', async () => {
    const { ids } = idsOf()
    const all: bigint[] = []
    for (let n = 0; n < 20; n += 1) {
      all.push(...(await ids.next(3, patience)))
      void ids.release()
    }
    await ids.settled()
    expect(all).toEqual([...new Set(all)].toSorted((one, other) => (one < other ? -1 : 1)))
  })
})
