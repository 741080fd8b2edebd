import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { tell } from '../../test/support/child-side.js'
import { keys } from './keys.js'
import type { Mishap, Moment, ShopSettings } from './settings.js'

/** A slow sale continues after this number of leases, if no other sale entered: the lock has excluded them all. */
const LONGEST_SLOWNESS_LEASES = 2

/** A sale that enters during a slow one stays for this part of a lease: time enough for the slow one to leave first. */
const COMPANY_LEASES = 0.2

const LOOK_AGAIN_MS = 5

/**
 * Makes happen, at a certain place, what otherwise happens once a month.
 *
 * Nothing is left to luck: a process that is to die says so and stands still until it is killed, and two that are to meet
 * wait for each other.
 */
export class Mishaps {
  readonly #redis: Redis
  readonly #planned: readonly Mishap[]
  readonly #leaseMs: number

  constructor(redis: Redis, { mishaps, leaseMs }: ShopSettings) {
    this.#redis = redis
    this.#planned = mishaps
    this.#leaseMs = leaseMs
  }

  /** Suffers what is planned for this moment. */
  async at(moment: Moment): Promise<void> {
    const planned = this.#planned.filter(({ when }) => when === moment)
    const stock = planned.length === 0 ? Infinity : Number(await this.#redis.get(keys.stock))
    for (const mishap of planned) {
      if (stock <= mishap.atStock && (await this.#isFirst(mishap))) await this.#suffer(mishap)
    }
    if (moment === 'before-writing') await this.#keepCompany()
  }

  async #isFirst({ what, atStock }: Mishap): Promise<boolean> {
    return (await this.#redis.hsetnx(keys.mishaps, `${what} at ${String(atStock)}`, 1)) === 1
  }

  async #suffer({ what }: Mishap): Promise<void> {
    switch (what) {
      case 'killed':
        await standStill()
        return
      case 'slow':
        await this.#workSlowly()
    }
  }

  /** Works until another sale has entered and has read the stock. */
  async #workSlowly(): Promise<void> {
    tell('slow')
    const deadline = performance.now() + LONGEST_SLOWNESS_LEASES * this.#leaseMs
    await this.#redis.rpush(keys.company, 'wanted')
    while ((await this.#redis.exists(keys.company)) === 1 && performance.now() < deadline) {
      await sleep(LOOK_AGAIN_MS)
    }
    await this.#redis.del(keys.company)
  }

  /** The other half: stays inside until the slow one has left. */
  async #keepCompany(): Promise<void> {
    if (this.#planned.every(({ what }) => what !== 'slow')) return
    if ((await this.#redis.lpop(keys.company)) === null) return
    await sleep(COMPANY_LEASES * this.#leaseMs)
  }
}

/** The parent kills this process at this message. */
async function standStill(): Promise<void> {
  tell('doomed')
  await new Promise(() => undefined)
}
