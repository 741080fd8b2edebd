import { EVERYWHERE, type Fault } from './fault.js'

/** Keeps the event loop of a client busy, for shorter or longer than its leases. */
export const stallClient: Fault = {
  kind: 'client-stall',
  realm: 'clients',
  suits: EVERYWHERE,
  lastsMs: [0, 0],
  aim({ crew, leaseMs }, random) {
    const member = random.pick(crew.members)
    const ms = Math.round(
      leaseMs * (random.chance(0.5) ? random.between(0.1, 0.9) : random.between(1.1, 1.8)),
    )
    return {
      target: `${member.name}, ${ms} ms`,
      begin() {
        const over = member.stall(ms)
        return () => over
      },
    }
  },
}

/** Freezes a client, for shorter or longer than its leases. */
export const freezeClient: Fault = {
  kind: 'client-freeze',
  realm: 'clients',
  suits: EVERYWHERE,
  lastsMs: [100, 4_000],
  aim({ crew }, random) {
    const member = random.pick(crew.members)
    return {
      target: member.name,
      begin() {
        member.freeze()
        return () => {
          member.thaw()
        }
      },
    }
  },
}

/** Kills a client, and has another one take its place. */
export const killClient: Fault = {
  kind: 'client-kill',
  realm: 'clients',
  suits: EVERYWHERE,
  lastsMs: [0, 1_000],
  aim({ crew }, random) {
    const member = random.pick(crew.members)
    return {
      target: member.name,
      async begin() {
        await crew.kill(member)
        return () => crew.hire()
      },
    }
  },
}
