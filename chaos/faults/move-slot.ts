import { addressOf } from '../../test/support/launch/topology.js'
import type { Fault } from './fault.js'

/** Moves the slot of a lock to another master, while it is used, and sometimes back again. */
export const moveSlot: Fault = {
  kind: 'slot-migration',
  realm: 'servers',
  suits: ['cluster'],
  lastsMs: [0, 1_500],
  async aim({ arena, names }, random) {
    const { slots } = arena
    if (!slots) throw new Error('Expected servers with slots')
    const name = random.pick(names)
    const [home] = await arena.homesOf(name)
    const target = random.pick(await slots.othersThan(name))
    const andBack = random.chance(0.5)
    return {
      target: `${name} to ${addressOf(target)}${andBack ? ' and back' : ''}`,
      async begin() {
        await slots.move(name, target)
        return async () => {
          if (andBack && home) await slots.move(name, home)
        }
      },
    }
  },
}
