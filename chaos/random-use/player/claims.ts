import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorder } from '../../client/recorder.js'
import type { Random } from '../../random.js'
import { nameOf, type AnyLockObject, type PermitsObject } from '../objects.js'
import type { Clients, Stay } from './entrances.js'
import type { RawView } from './raw.js'
import { sureUntil } from './sure.js'
import type { Visit } from './visit.js'

/** A holder, and its record. */
export interface Claim {
  readonly visit: Visit
  readonly object: AnyLockObject | PermitsObject
  /** The owner in the history. */
  readonly number: number
  /** The owner in Redis, where it is known. */
  readonly owner: string | undefined
  /** The id of the permit. */
  readonly id: string | undefined
  /** Until when it is held for certain, unless it is ended: for the lease that was confirmed. Undefined where that is not known. */
  sureUntil?: number
  isHeld(): boolean
  /** Has the lease last longer, where there is one. */
  readonly extend?: (leaseMs: number) => Promise<void>
}

/** A claim whose holder is inside. */
export interface OpenClaim {
  readonly claim: Claim
  /** The ids of its client, and of those that it has at other servers. */
  readonly clientIds: readonly string[]
}

interface ClaimFacts extends Pick<Claim, 'object' | 'number' | 'visit'> {
  /** When it was asked for, and for what lease. */
  readonly askedAt: number
  readonly leaseMs: number
}

export function claimBy(stay: Stay, { askedAt, leaseMs, ...facts }: ClaimFacts): Claim {
  const extend = stay.extend && { extend: (ms: number) => stay.extend?.(ms) ?? Promise.resolve() }
  const isHeld = () => stay.isHeld()
  return {
    ...facts,
    owner: stay.owner,
    id: stay.id,
    sureUntil: sureUntil(askedAt, leaseMs),
    isHeld,
    ...extend,
  }
}

export interface WatchFacts extends Clients {
  readonly recorder: Recorder
  readonly raw: RawView
  readonly random: Random
  /** How often a claim is compared with Redis between two notes. */
  readonly shareOfLooks: number
  /** The claims of all flows whose holders are inside. */
  readonly claims: Set<OpenClaim>
  /** Until when the client ends no hold by itself. */
  readonly keptUntil: () => number
}

/** A hold was lost before its lease was over. */
export const LOST_EARLY = 'LOST_EARLY'

/** Between two notes of what a holder knows. */
const NOTE_EVERY_MS = 3

/** Writes down what holders claim while they are inside, and what Redis says to that. */
export class Watch {
  readonly #facts: WatchFacts

  constructor(facts: WatchFacts) {
    this.#facts = facts
  }

  /** Does what is done inside, and writes down what the claim says at its end. */
  async during(claim: Claim, act: () => Promise<void>): Promise<void> {
    const { claims } = this.#facts
    const open = { claim, clientIds: this.#clientIds }
    claims.add(open)
    try {
      await act()
    } finally {
      claims.delete(open)
    }
    this.note(claim)
  }

  /** Lets time go by. */
  async pause(ms: number, claims: readonly Claim[]): Promise<void> {
    const until = performance.now() + ms
    for (let restMs = ms; restMs > 0; restMs = until - performance.now()) {
      await sleep(Math.min(restMs, NOTE_EVERY_MS))
      for (const claim of claims) this.note(claim)
      if (claims.length > 0 && this.#facts.random.chance(this.#facts.shareOfLooks)) await this.#look(claims)
    }
  }

  /** Asks a claim whether it stands, and writes down what it says. */
  note(claim: Claim): void {
    const { recorder, keptUntil } = this.#facts
    const at = recorder.now()
    const isHeld = claim.isHeld()
    const sure = Math.min(claim.sureUntil ?? -Infinity, keptUntil())
    if (!isHeld && !claim.visit.isLost && recorder.now() < sure)
      recorder.rejected(`the hold ${claim.visit.hold} of ${nameOf(claim.object)}`, LOST_EARLY)
    claim.visit.note(at, isHeld)
  }

  /** Compares one of the claims with Redis. What is claimed before and after was claimed all the time. */
  async #look(claims: readonly Claim[]): Promise<void> {
    const { raw, random, recorder } = this.#facts
    const claim = random.pick(claims)
    const { object, number, owner, id, visit } = claim
    const alike = claims.filter((other) => other.object === object && other.number === number)
    const before = alike.filter((other) => other.isHeld())
    const found = await raw.holdsOf(object, {
      clientIds: this.#clientIds,
      owner,
      id,
    })
    const claimed = before.filter((other) => other.isHeld()).length
    if (claim.isHeld()) recorder.look({ hold: visit.hold, claimed, found: Math.min(found, claimed) })
  }

  get #clientIds(): readonly string[] {
    const { client, others } = this.#facts
    return [client, ...others].map(({ id }) => id)
  }
}
