import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf } from '../../test/support/launch/topology.js'
import type { Arena, Replication } from '../arena/arena.js'
import { WITH_REPLICAS, type Fault } from './fault.js'
import { loseWhatFollows } from './lose-what-follows.js'

/** Has a replica take over in good order. */
export const plannedFailover: Fault = {
  kind: 'planned-failover',
  realm: 'servers',
  suits: WITH_REPLICAS,
  lastsMs: [0, 0],
  async aim({ arena, names }, random) {
    const name = random.pick(names)
    const replication = replicationOf(arena)
    return {
      target: addressOf(await replication.masterOf(name)),
      async begin() {
        await replication.failOver(name)
        return nothing
      },
    }
  },
}

/** Kills a master. It comes back as a replica of the one that took over. */
export const killMaster: Fault = {
  kind: 'master-kill',
  realm: 'servers',
  suits: WITH_REPLICAS,
  lastsMs: [0, 500],
  async aim({ arena, names }, random) {
    const name = random.pick(names)
    const replication = replicationOf(arena)
    const master = await replication.masterOf(name)
    return {
      target: addressOf(master),
      async begin() {
        await master.kill()
        await replication.untilReplaced(name, master)
        return () => master.restart()
      },
    }
  },
}

/**
 * Kills a master whose last writes have not reached any replica, though it has confirmed them. This is the worst that
 * asynchronous replication allows; locks without `syncedReplicas` are lost here.
 */
export const killMasterAhead: Fault = {
  kind: 'master-kill-ahead-of-replicas',
  realm: 'servers',
  suits: WITH_REPLICAS,
  lastsMs: [0, 500],
  async aim({ arena, names }, random) {
    const name = random.pick(names)
    const replication = replicationOf(arena)
    const master = await replication.masterOf(name)
    const aheadMs = random.between(200, 800)
    return {
      target: `${addressOf(master)}, ${Math.round(aheadMs)} ms ahead`,
      async begin() {
        const loss = await loseWhatFollows(master, name)
        await sleep(aheadMs)
        await master.kill()
        await loss.demandLost(await replication.untilReplaced(name, master))
        return () => master.restart() // which also forgets that it refused all replicas
      },
    }
  },
}

/** Kills a replica, and starts it again. */
export const killReplica: Fault = {
  kind: 'replica-kill',
  realm: 'servers',
  suits: WITH_REPLICAS,
  lastsMs: [100, 2_000],
  async aim({ arena, names }, random) {
    const replica = random.pick(await replicationOf(arena).replicasOf(random.pick(names)))
    return {
      target: addressOf(replica),
      async begin() {
        await replica.kill()
        return () => replica.restart()
      },
    }
  },
}

function replicationOf({ replication }: Arena): Replication {
  if (replication) return replication
  throw new Error('Expected servers with replicas')
}

function nothing(): void {}
