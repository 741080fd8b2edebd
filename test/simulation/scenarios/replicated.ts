import assert from 'node:assert/strict'
import type { SimulatedSentinels } from '../rounds/simulated-sentinels.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** Each server has been asked whether it is the master by then. */
const ASKED_MS = 5_000

export const replicated: readonly Scenario[] = [
  {
    name: 'replicated-failover-seen-by-another-connection',
    promise:
      'A client of replicated servers goes to the new master, although another connection has come there first',
    run: async (stage) => {
      const { set, mine } = await start(stage)
      set.failOver()
      await mine.run((client) =>
        client.batch((batch) => [batch.getBucket('first').set(1)], { mode: 'atomic' }),
      )
      await stage.sleep(ASKED_MS)
      await demandReads(stage, mine, set)
    },
  },
  {
    name: 'replicated-failover-while-connecting',
    promise:
      'A client of replicated servers goes to the new master if there was a failover while it connected',
    run: async (stage) => {
      const { set, mine } = await start(stage)
      const old = set.master
      stage.network.cut({ address: old.address })
      stage.network.freeze(old.address, 1_500)
      await stage.sleep(1_400)
      set.failOver({ old: 'apart' })
      await stage.sleep(ASKED_MS)
      await demandReads(stage, mine, set)
    },
  },
  {
    name: 'replicated-two-masters-promoted',
    promise:
      'A client of replicated servers goes to the one that was promoted, while the old one does not know of it',
    run: async (stage) => {
      const { set, mine } = await start(stage)
      set.failOver({ old: 'apart' })
      await stage.sleep(ASKED_MS)
      await demandReads(stage, mine, set)
    },
  },
  {
    name: 'replicated-two-masters-returned',
    promise: 'A client of replicated servers stays at the new master when the old one comes back as one',
    run: async (stage) => {
      const { set, mine } = await start(stage)
      const old = set.master
      stage.network.away(old.address, 2 * ASKED_MS)
      set.failOver({ old: 'apart' })
      await stage.sleep(3 * ASKED_MS)
      await demandReads(stage, mine, set)
    },
  },
]

interface Started {
  readonly set: SimulatedSentinels
  readonly mine: Process
}

/** Starts servers of which nobody announces the master. The client has asked all of them. */
async function start(stage: Stage): Promise<Started> {
  const set = stage.sentinels()
  const nodeAddresses = set.servers.map(({ address }) => `redis://${address}`)
  const mine = await stage.processFor('mine', { replicatedServersConfig: { nodeAddresses } }, set.master)
  await stage.sleep(ASKED_MS)
  return { set, mine }
}

/** What a client reads is read at the present master. */
async function demandReads(stage: Stage, process: Process, set: SimulatedSentinels): Promise<void> {
  const asked: string[] = []
  const stop = stage.network.intercept({
    request: ({ name, route }) => {
      if (name === 'GET') asked.push(route.address)
    },
  })
  await process.run((client) => client.getBucket('bucket').get())
  stop()
  assert.deepEqual(asked, [set.master.address])
}
