import { randomUUID } from 'node:crypto'
import type { ServerNode } from '../../test/support/launch/topology.js'

/** The evidence that a master went ahead of its replicas. */
export interface Loss {
  /**
   * Demands that another server has not got what this one wrote last.
   *
   * @throws Error if it has
   */
  demandLost(successor: ServerNode): Promise<void>
}

/**
 * Has a master confirm writes that reach no replica from now on: it breaks with them, and refuses to let them follow.
 * Clients notice nothing.
 *
 * @param slot - a text whose slot the master has, where there are slots
 */
export async function loseWhatFollows(master: ServerNode, slot: string): Promise<Loss> {
  await master.command('ACL', 'SETUSER', 'default', '-psync', '-sync', '-replconf')
  await master.command('CLIENT', 'KILL', 'TYPE', 'replica')
  const witness = `{${slot}}:witness`
  const value = randomUUID()
  await master.command('SET', witness, value, 'PX', WITNESS_LIVES_MS)
  return {
    async demandLost(successor) {
      if ((await successor.command('GET', witness)) !== value) return
      throw new Error('Expected the last write of the master to be lost, but a replica has it')
    },
  }
}

const WITNESS_LIVES_MS = 60_000
