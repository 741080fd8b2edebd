import { addressOf, type RunningNode } from '../../test/support/launch/topology.js'
import type { Random } from '../random.js'
import { chooseNodes } from './choose-nodes.js'
import { EVERYWHERE, type Fault, type Ground, type Undo } from './fault.js'

type Harm = (node: RunningNode, lastsMs: number) => Promise<Undo> | Undo

/** A fault of servers in any role; several of them at the same time. */
export function atNodes(
  facts: Pick<Fault, 'kind' | 'realm' | 'lastsMs'> & Partial<Pick<Fault, 'suits'>>,
  harmBy: (random: Random, ground: Ground) => Harm,
): Fault {
  return {
    suits: EVERYWHERE,
    ...facts,
    async aim(ground, random) {
      const nodes = await chooseNodes(ground, random)
      const harm = harmBy(random, ground)
      return {
        target: nodes.map(addressOf).join(' '),
        async begin(lastsMs) {
          const undos = await Promise.all(nodes.map(async (node) => harm(node, lastsMs)))
          return async () => {
            await Promise.all(undos.map(async (undo) => undo()))
          }
        },
      }
    },
  }
}
