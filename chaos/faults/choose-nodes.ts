import type { RunningNode } from '../../test/support/launch/topology.js'
import type { Random } from '../random.js'
import type { Ground } from './fault.js'

/**
 * Mostly a server that has one of the locks, and sometimes any. Of several that have the lock together, any number: locks
 * of a majority have to live through the loss of a minority, and to notice that of a majority.
 */
export async function chooseNodes({ arena, names }: Ground, random: Random): Promise<readonly RunningNode[]> {
  const homes = await arena.homesOf(random.pick(names))
  const anywhere = random.pick(arena.nodes)
  if (random.chance(SHARE_OF_STRANGERS)) return [anywhere]
  return random.shuffled(homes).slice(0, random.whole(1, homes.length))
}

const SHARE_OF_STRANGERS = 0.2
