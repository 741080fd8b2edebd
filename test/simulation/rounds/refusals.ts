import { BUSY } from '../server/trouble.js'
import type { Chance } from '../world/chance.js'
import { repeat, type Disturbance } from '../world/disturbances.js'
import type { World } from '../world/world.js'
import type { SimulatedRedis } from './simulated-redis.js'

/** What servers do to their clients from time to time. What is left out does not happen. */
export interface Refusals {
  /** A server is busy at one step of the handshake, and runs all other commands. Its connections break, so that there are handshakes. */
  readonly step?: Disturbance
  /** A server runs a long script. */
  readonly busy?: Disturbance
}

/** Steps of a handshake, by the names of their commands. `SELECT` matters most. */
const STEPS = ['select', 'select', 'select', 'auth', 'hello', 'client', 'info', 'readonly'] as const

/** Has servers refuse commands at times that the seed decides. Returns how to stop, which ends what goes on. */
export function refuse(
  world: World,
  servers: readonly SimulatedRedis[],
  { step, busy }: Refusals,
): () => void {
  const stops = [
    repeat(world, 'refuse', step, (chance, ms) => {
      refuseStep(world, chance.pick(servers), chance, ms)
    }),
    repeat(world, 'busy', busy, (chance, ms) => {
      const { server } = chance.pick(servers)
      server.trouble = 'busy'
      after(world, ms, () => (server.trouble = undefined))
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    for (const { server } of servers) {
      server.refusals.clear()
      server.trouble = undefined
    }
  }
}

function refuseStep(world: World, { server, address }: SimulatedRedis, chance: Chance, ms: number): void {
  const step = chance.pick(STEPS)

  server.refusals.set(step, BUSY)
  world.network.cut({ host: chance.pick(world.hosts).name, address })
  after(world, ms, () => server.refusals.delete(step))
}

function after({ clock }: World, ms: number, run: () => void): void {
  clock.schedule({ at: clock.now + ms, loop: clock.outside, kind: 'timer', what: 'refusal', run })
}
