import type { Deadline } from '../../../util/time/deadline.js'
import { AutoResetEvent } from '../../../util/auto-reset-event.js'
import { takeBack, type Abandoned } from '../../../waiting/compensation.js'
import { settledInTime, type Until } from '../../../waiting/settled-in-time.js'

/**
 * Owners with a request that Redis may still get without a caller: to take what its caller has given up, or to
 * release what could not be released at once.
 *
 * Nothing else is asked for such an owner until that is settled. Otherwise what it gets meanwhile would be released
 * along with it, because in Redis all is one hold of the same owner.
 */
export class PendingCleanups {
  /** What is open of each owner. */
  readonly #open = new Map<string, Map<Promise<unknown>, Open>>()

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Something of an owner is open until a promise has settled. It may belong to an acquisition of a group. */
  add(lock: string, owner: string, settling: Promise<unknown>, group = 0): void {
    this.#add(keyOf(lock, owner), settling, { group })
  }

  /** Takes back what a request of an owner has acquired, which is open until then, and makes haste when it is waited for. */
  takeBack<T>(lock: string, owner: string, abandoned: Abandoned<T>): Promise<void> {
    const haste = new AbortController()
    const awaited = AbortSignal.any([abandoned.awaited, haste.signal])
    const takingBack = takeBack({ ...abandoned, awaited })
    this.#add(keyOf(lock, owner), takingBack, { group: 0, haste })
    return takingBack
  }

  #add(key: string, settling: Promise<unknown>, what: Open): void {
    const open = this.#open.get(key) ?? new Map<Promise<unknown>, Open>()
    this.#open.set(key, open.set(settling, what))
    const forget = (): void => {
      open.delete(settling)
      if (open.size === 0 && this.#open.get(key) === open) this.#open.delete(key)
    }
    settling.then(forget, forget)
  }

  /** How many requests of an owner are open. */
  countOf(lock: string, owner: string): number {
    return this.isEmpty ? 0 : (this.#open.get(keyOf(lock, owner))?.size ?? 0)
  }

  /** Waits until nothing is open any more, or the deadline has passed. */
  async untilAllClean(deadline: Deadline): Promise<void> {
    while (!this.isEmpty && !deadline.passed) {
      const sleeper = new AutoResetEvent()
      void Promise.allSettled([...this.#open.values()].flatMap((open) => [...open.keys()])).then(() => {
        sleeper.set()
      })
      await sleeper.wait(deadline.within(Infinity))
    }
  }

  /**
   * Waits until nothing of an owner is open any more. Returns false if that took longer than the owner is ready to wait.
   *
   * An acquisition of a group does not wait for what belongs to itself or to a later one: they may wait for it.
   */
  async untilClean(lock: string, owner: string, asking: Asking): Promise<boolean> {
    const key = keyOf(lock, owner)
    // What settles may leave something else open: a request without a reply is undone after that.
    const openNow = () => this.#openBefore(asking.group ?? Infinity, key)
    for (let open = openNow(); open.length > 0; open = openNow()) {
      for (const [, { haste }] of open) haste?.abort()
      if (!(await settledInTime(Promise.allSettled(open.map(([settling]) => settling)), asking))) return false
    }
    return true
  }

  #openBefore(group: number, key: string): [Promise<unknown>, Open][] {
    return [...(this.#open.get(key) ?? [])].filter(([, other]) => other.group < group)
  }
}

/** Something that has not settled. */
interface Open {
  /** Which acquisition of a group it belongs to; 0 for what is no group's. */
  readonly group: number
  /** Speeds it up, because a call waits for it. */
  readonly haste?: AbortController
}

/** How long a caller waits, and which acquisition of a group it is a part of. */
interface Asking extends Until {
  readonly group?: number
}

function keyOf(lock: string, owner: string): string {
  return `${lock}\n${owner}`
}
