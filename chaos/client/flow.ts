import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.js'
import type { Door, HastyWish, Stay, ThreadDoor, Wish } from './doors.js'
import type { GuardedSet } from './guarded-set.js'
import type { Asked, Recorder } from './recorder.js'

/** What a flow works with. */
export interface FlowFacts {
  readonly index: number
  readonly doors: readonly Door[]
  readonly set: GuardedSet
  readonly recorder: Recorder
  readonly random: Random
  readonly leaseMs: number
}

/** How a flow acquires it: with a hold, if it is free in time, as a function, or as a thread. */
type Form = 'acquire' | 'try' | 'scope' | 'thread'
const FORMS: readonly Form[] = ['acquire', 'try', 'scope', 'thread']

const MOST_NESTED = 3
const MOST_STEPS = 4
const SHORT_PAUSE_MS = 20
const SHARE_OF_LONG_PAUSES = 0.01
const BETWEEN_VISITS_MS = 40

/** One logical flow of a client, which acquires and releases. A second holder at the same time is an error. */
export class Flow {
  readonly #facts: FlowFacts
  /** How often it was let in, and let go as well. */
  #visits = 0
  #settling = false

  constructor(facts: FlowFacts) {
    this.#facts = facts
  }

  /** Acquires and releases until it is asked to settle, and then once more. */
  async run(): Promise<void> {
    while (!this.#settling) await this.#visit()
    const before = this.#visits
    while (this.#visits === before) await this.#visit()
  }

  settle(): void {
    this.#settling = true
  }

  async #visit(): Promise<void> {
    await this.#pause(BETWEEN_VISITS_MS)
    await this.#goIn()
  }

  async #goIn(): Promise<void> {
    const { random } = this.#facts
    const door = random.pick(this.#facts.doors)
    switch (random.pick(FORMS)) {
      case 'acquire':
        await this.#visitWith(door, (wish) => door.acquire(wish))
        break
      case 'try':
        await this.#visitWith(door, (wish) => door.tryAcquire(this.#hasty(wish)))
        break
      case 'scope':
        await this.#enter(door)
        break
      case 'thread':
        await (door.thread ? this.#asThread(door, door.thread) : this.#enter(door))
    }
  }

  async #visitWith(door: Door, take: (wish: Wish) => Promise<Stay | undefined>): Promise<void> {
    const hold = this.#facts.recorder.id()
    const asked = this.#ask('acquire', door, hold)
    let stay: Stay | undefined
    try {
      stay = await this.#wishing(take)
    } catch (error) {
      asked.failed(error)
      return
    }
    if (stay === undefined) {
      asked.refused()
      return
    }
    asked.ok(stay.token)
    await this.#work(door, hold, stay)
    await this.#leave(door, hold, () => stay.leave())
  }

  /** Goes in as a function, and from inside perhaps again, as the same owner. */
  async #enter(door: Door, within?: string, depth = 1): Promise<void> {
    const hold = this.#facts.recorder.id()
    const asked = this.#ask('acquire', door, hold, within)
    let leaving: Asked | undefined
    const inside = async (stay: Stay): Promise<void> => {
      asked.ok(stay.token)
      await this.#workDeeper(door, hold, stay, depth)
      leaving = this.#ask('release', door, hold)
    }
    try {
      await this.#wishing((wish) => door.within(inside, within === undefined ? wish : {}))
    } catch (error) {
      const open = leaving ?? asked
      if (open.answered) throw error // it is the flow itself that failed
      open.failed(error)
      return
    }
    leaving?.ok()
    if (within === undefined) this.#visits += 1
  }

  async #workDeeper(door: Door, hold: string, stay: Stay, depth: number): Promise<void> {
    const { random } = this.#facts
    const deeper = depth < MOST_NESTED && door.inner.length > 0 && random.chance(0.5)
    if (!(await this.#work(door, hold, stay)) || !deeper) return
    await this.#enter(random.pick(door.inner), hold, depth + 1)
    await this.#work(door, hold, stay)
  }

  /** Takes it step by step. Such a flow has no hold to ask, so it goes in once more. */
  async #asThread(door: Door, thread: ThreadDoor): Promise<void> {
    const { random } = this.#facts
    const reader = door.inner.find(({ side }) => side !== door.side)
    await thread.run(async () => {
      const hold = await this.#lock(door, thread)
      if (hold === undefined) return
      if (reader?.thread && random.chance(0.5)) {
        await this.#readOn(door, hold, reader, reader.thread)
      } else {
        await this.#enter(random.pick(door.inner), hold, 2)
        await this.#leave(door, hold, () => thread.unlock())
      }
    })
  }

  /** Begins to read, stops writing, and reads on. */
  async #readOn(writer: Door, writing: string, reader: Door, thread: ThreadDoor): Promise<void> {
    const reading = await this.#lock(reader, thread, writing)
    await this.#leave(writer, writing, async () => writer.thread?.unlock())
    if (reading === undefined) return
    await this.#enter(reader, reading, 2)
    await this.#leave(reader, reading, () => thread.unlock())
  }

  /** Returns what to call the hold, if there is one. */
  async #lock(door: Door, thread: ThreadDoor, within?: string): Promise<string | undefined> {
    const hold = this.#facts.recorder.id()
    const asked = this.#ask('acquire', door, hold, within)
    try {
      asked.ok(await this.#wishing((wish) => thread.lock(within === undefined ? wish : {})))
      return hold
    } catch (error) {
      asked.failed(error)
      return undefined
    }
  }

  async #leave(door: Door, hold: string, leave: () => Promise<void>): Promise<void> {
    const asked = this.#ask('release', door, hold)
    try {
      await leave()
    } catch (error) {
      asked.failed(error)
      return
    }
    asked.ok()
    this.#visits += 1
  }

  /** Does something inside, for as long as the hold says that it may. Answers whether it said so to the end. */
  async #work(door: Door, hold: string, stay: Stay): Promise<boolean> {
    const { random } = this.#facts
    for (let steps = random.whole(1, MOST_STEPS); steps > 0; steps -= 1) {
      if (!this.#holds(hold, stay)) return false
      await this.#pauseInside()
    }
    if (door.exclusive && random.chance(0.5)) return await this.#add(door, hold, stay)
    return this.#holds(hold, stay)
  }

  #holds(hold: string, stay: Stay): boolean {
    const { recorder } = this.#facts
    const at = recorder.now()
    const held = stay.isHeld()
    recorder.step({ at, hold, what: held ? 'holds' : 'lost' })
    return held
  }

  /** Reads the set, and writes it with one element more, unless the hold or the set says no. */
  async #add({ name }: Door, hold: string, stay: Stay): Promise<boolean> {
    const { recorder, set } = this.#facts
    if (!this.#holds(hold, stay)) return false
    const readAt = recorder.now()
    const page = await set.read(name, readAt, stay.token)
    if (page === undefined) return this.#fencedOff(hold, readAt)
    await this.#pauseInside()
    const element = recorder.id()
    const at = recorder.now()
    if (!stay.isHeld()) {
      recorder.step({ at, hold, what: 'lost' })
      return false
    }
    if (!(await set.add(name, page, element, stay.token))) return this.#fencedOff(hold, at)
    recorder.step({ at, hold, what: 'added', element })
    return true
  }

  #fencedOff(hold: string, at: number): false {
    this.#facts.recorder.step({ at, hold, what: 'fenced-off' })
    return false
  }

  #ask(op: 'acquire' | 'release', { side, name }: Door, hold: string, within?: string): Asked {
    return this.#facts.recorder.ask({ flow: this.#facts.index, op, side, name, hold, within })
  }

  /** Asks with a lease or without one, and loses patience now and then. */
  async #wishing<T>(take: (wish: Wish) => Promise<T>): Promise<T> {
    const { random, leaseMs } = this.#facts
    const lease = random.chance(0.3) ? { leaseMs } : {}
    if (!random.chance(0.1)) return await take(lease)
    const patience = new AbortController()
    const timer = setTimeout(
      () => {
        patience.abort()
      },
      random.between(0, leaseMs / 2),
    )
    try {
      return await take({ ...lease, signal: patience.signal })
    } finally {
      clearTimeout(timer)
    }
  }

  #hasty(wish: Wish): HastyWish {
    const { random, leaseMs } = this.#facts
    return { ...wish, waitMs: random.chance(0.3) ? 0 : random.between(1, leaseMs) }
  }

  /** Mostly short, and sometimes long enough that the lease has to be renewed meanwhile, or ends. */
  async #pauseInside(): Promise<void> {
    const { random, leaseMs } = this.#facts
    if (random.chance(SHARE_OF_LONG_PAUSES)) await sleep(random.between(0.3, 1.2) * leaseMs)
    else await this.#pause(SHORT_PAUSE_MS)
  }

  async #pause(mostMs: number): Promise<void> {
    await sleep(this.#facts.random.between(0, mostMs))
  }
}
