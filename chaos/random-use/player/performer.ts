import type { AnyLock } from '../../../src/index.js'
import {
  isData,
  isLock,
  isPermits,
  isReentrant,
  resourcesOf,
  type Resource,
  type SharedObject,
} from '../objects.js'
import type {
  Ask,
  AsThread,
  Deliver,
  Enter,
  Extend,
  Force,
  Fork,
  Latch,
  Lead,
  Once,
  Receive,
  Restart,
  Step,
  Use,
  Work,
} from '../program.js'
import { DataUser } from './data-user.js'
import { claimBy, Watch, type Claim, type WatchFacts } from './claims.js'
import { deliver } from './deliver.js'
import { entranceOf, lockOf, type Entrance, type Stay, type Wish } from './entrances.js'
import { lead } from './lead.js'
import { runOnce } from './once.js'
import { receive } from './receive.js'
import { Scope } from './scope.js'
import type { ServiceFacts } from './service-facts.js'
import { LOOKED_AT_SHARE, lookingEvery, sureUntil } from './sure.js'
import { Visit, type VisitFacts } from './visit.js'
import { patienceOf, wishOf } from './wishes.js'
import { wordFor, wordForWait } from './word-for.js'
import { work } from './work.js'

/** What a flow works with. */
export interface PerformerFacts extends WatchFacts {
  readonly objects: readonly SharedObject[]
  /** A number that no other owner of this client has in the history. */
  readonly newOwner: () => number
  /** The names of locks that this client has heard to be lost, with how often. */
  readonly losses: ReadonlyMap<string, number>
  /** The scopes of the threads that are named, which all flows of a client share. */
  readonly named: Map<number, Scope>
  readonly watchdogMs: number
  /** Shuts the client down, and has the next one in its place. */
  restart(how: Restart): Promise<void>
}

/** Where a step is done: by which thread, and inside of what. */
interface Place {
  readonly scope: Scope | undefined
  readonly claims: readonly Claim[]
}

const OUTSIDE: Place = { scope: undefined, claims: [] }

/** How to enter an object. */
interface Way {
  readonly object: Claim['object']
  readonly entrance: Entrance
}

interface StepwiseWay extends Way {
  readonly lock: AnyLock
}

/** Runs the steps of one flow, and records their results. No step rejects. */
export class Performer {
  readonly #facts: PerformerFacts
  readonly #watch: Watch
  readonly #data: DataUser

  constructor(facts: PerformerFacts) {
    this.#facts = facts
    this.#watch = new Watch(facts)
    this.#data = new DataUser(facts)
  }

  async perform(steps: readonly Step[], place = OUTSIDE): Promise<void> {
    for (const step of steps) await this.#do(step, place)
  }

  async #do(step: Step, place: Place): Promise<void> {
    switch (step.do) {
      case 'pause':
        await this.#watch.pause(step.ms, place.claims)
        break
      case 'enter':
        await this.#enter(step, place)
        break
      case 'thread':
        await this.#asThread(step, place)
        break
      case 'fork':
        await this.#fork(step, place)
        break
      case 'force':
        await this.#force(step)
        break
      case 'ask':
        await this.#ask(step)
        break
      case 'once':
        await this.#once(step, place)
        break
      case 'lead':
        await this.#lead(step, place)
        break
      case 'extend':
        await this.#extend(step, place)
        break
      case 'restart':
        await this.#facts.restart(step)
        break
      case 'use':
        await this.#use(step)
        break
      case 'deliver':
        await this.#deliver(step, place)
        break
      case 'receive':
        await this.#receive(step, place)
        break
      case 'work':
        await this.#work(step, place)
        break
      case 'latch':
        await this.#latch(step)
    }
  }

  async #enter(step: Enter, place: Place): Promise<void> {
    const object = this.#object(step.object)
    if (!isLock(object) && !isPermits(object)) throw new TypeError(`Expected a lock, got ${object.kind}`)
    const entrance = entranceOf(this.#facts, object, step.permits)
    for (let tries = step.tries ?? 1; tries > 0; tries -= 1) {
      if (await this.#enterBy(step, { object, entrance }, place)) return
    }
  }

  /** Whether it was let in. */
  async #enterBy(step: Enter, way: Way, place: Place): Promise<boolean> {
    switch (step.form) {
      case 'withLock':
        return await this.#enterByFunction(step, way, place)
      case 'acquire':
      case 'using':
        return await this.#enterByHold(step, way, place)
      case 'lock':
        return way.entrance.lock === undefined
          ? await this.#enterByHold(step, way, place)
          : await this.#enterByLock(step, { ...way, lock: way.entrance.lock }, place)
    }
  }

  async #enterByFunction(step: Enter, { object, entrance }: Way, { scope, claims }: Place): Promise<boolean> {
    const resources = this.#resourcesOf(object, step.permits)
    const again = isReentrant(object) ? scope?.holderOf(names(resources)) : undefined
    const own = new Scope(again?.owner ?? this.#facts.newOwner(), scope)
    const visit = this.#visit(step, { owner: own.owner, resources, scope: again ?? own })
    const asked = { askedAt: this.#facts.recorder.now(), leaseMs: this.#leaseOf(step) }
    let granted = false
    try {
      await this.#wishing(step, (wish) =>
        entrance.within(async (stay) => {
          granted = true
          visit.granted(stay.token)
          const claim = claimBy(stay, { ...asked, object, number: own.owner, visit })
          await this.#inside(step, claim, { scope: isLock(object) ? own : scope, claims })
          visit.leaving()
        }, wish),
      )
      visit.left()
    } catch (error) {
      visit.failed(error)
    }
    return granted
  }

  async #enterByHold(step: Enter, { object, entrance }: Way, place: Place): Promise<boolean> {
    const owner = this.#facts.newOwner()
    const resources = this.#resourcesOf(object, step.permits)
    const visit = this.#visit(step, { owner, resources, scope: undefined })
    const asked = { askedAt: this.#facts.recorder.now(), leaseMs: this.#leaseOf(step) }
    let stay: Stay | undefined
    try {
      stay = await this.#wishing(step, (wish) =>
        wish.waitMs === undefined ? entrance.acquire(wish) : entrance.tryAcquire(wish),
      )
    } catch (error) {
      visit.failed(error)
      return false
    }
    if (stay === undefined) {
      visit.refused()
      return false
    }
    const entered = stay
    visit.granted(entered.token)
    const claim = claimBy(entered, { ...asked, object, number: owner, visit })
    await this.#inside(step, claim, place)
    await this.#leave(visit, () => (step.form === 'using' ? entered.dispose() : entered.leave()))
    return true
  }

  /** Step by step: as a thread that is named, as the thread around it, or as an owner of its own for this call alone. */
  async #enterByLock(step: Enter, { object, lock }: StepwiseWay, place: Place): Promise<boolean> {
    const { recorder, newOwner, client, keptUntil } = this.#facts
    const { threadId } = step
    const resources = this.#resourcesOf(object)
    const scope =
      threadId === undefined
        ? (place.scope?.holderOf(names(resources)) ?? place.scope)
        : this.#named(threadId)
    const visit = this.#visit(step, { owner: scope?.owner ?? newOwner(), resources, scope })
    const thread = threadId === undefined ? {} : { threadId }
    const lossesBefore = this.#losses(lock)
    const askedAt = recorder.now()
    let granted: boolean
    try {
      // In this function, because a plain `lock()` leaves the note for `unlock()` here.
      const wish = wishOf(step)
      using patience = patienceOf(step)
      const options = { ...thread, ...wish, ...patience.wish }
      if (wish.waitMs === undefined) {
        await lock.lock(options)
        granted = true
      } else granted = await lock.tryLock(options)
    } catch (error) {
      visit.failed(error)
      return false
    }
    if (!granted) {
      visit.refused()
      return false
    }
    visit.granted()
    const until = step.leaseMs === undefined ? Infinity : sureUntil(askedAt, step.leaseMs)
    const isAttentive = lookingEvery(this.#leaseOf(step) * LOOKED_AT_SHARE, recorder)
    const claim: Claim = {
      visit,
      object,
      number: scope?.owner ?? -1,
      owner: threadId === undefined ? undefined : `${client.id}:${String(threadId)}`,
      id: undefined,
      isHeld: () =>
        isAttentive() && this.#losses(lock) === lossesBefore && recorder.now() < Math.min(until, keptUntil()),
    }
    await this.#inside(step, claim, place)
    visit.leaving()
    try {
      await lock.unlock(thread)
      visit.left()
    } catch (error) {
      const word = wordFor(error)
      visit.failed(error, word.startsWith('NOT_HELD') && claim.isHeld() ? `${word} while held` : word)
    }
    return true
  }

  async #inside(step: Enter, claim: Claim, place: Place): Promise<void> {
    await this.#watch.during(claim, async () => {
      if (step.extendMs !== undefined && claim.isHeld()) await this.#extendBy(claim, step.extendMs)
      await this.perform(step.steps, { ...place, claims: [...place.claims, claim] })
    })
  }

  async #leave(visit: Visit, leave: () => Promise<void>): Promise<void> {
    visit.leaving()
    try {
      await leave()
      visit.left()
    } catch (error) {
      visit.failed(error)
    }
  }

  async #asThread({ threadId, steps }: AsThread, { scope, claims }: Place): Promise<void> {
    const thread = threadId === undefined ? new Scope(this.#facts.newOwner(), scope) : this.#named(threadId)
    const options = threadId === undefined ? {} : { threadId }
    const perform = () => this.perform(steps, { scope: thread, claims })
    await this.#orRejected('thread', () => this.#facts.client.runAsThread(perform, options))
  }

  async #fork({ branches }: Fork, place: Place): Promise<void> {
    await Promise.all(branches.map((steps) => this.perform(steps, place)))
  }

  async #force({ object: index }: Force): Promise<void> {
    const object = this.#object(index)
    if (!isLock(object) || object.kind === 'multi' || object.kind === 'red') return
    const lock = lockOf(this.#facts, object)
    if (!('forceUnlock' in lock) || typeof lock.forceUnlock !== 'function') return
    await this.#orRejected('forceUnlock', () => (lock.forceUnlock as () => Promise<boolean>)())
  }

  /** Asks a rate limiter: what it grants is taken for good. */
  async #ask({ object: index, permits, waitMs }: Ask): Promise<void> {
    const object = this.#object(index)
    if (object.kind !== 'rate') return
    const { client } = this.#facts
    const resources = this.#resourcesOf(object, permits)
    const visit = this.#visit({ waitMs }, { owner: this.#facts.newOwner(), resources, scope: undefined })
    try {
      const granted = await client.getRateLimiter(object.name).tryAcquire({ permits, waitMs })
      if (granted) visit.granted()
      else visit.refused()
    } catch (error) {
      visit.failed(error)
    }
  }

  async #once(step: Once, { claims }: Place): Promise<void> {
    const object = this.#object(step.object)
    if (object.kind === 'once') await runOnce(step, object, this.#service(step.steps, claims))
  }

  async #lead(step: Lead, { claims }: Place): Promise<void> {
    const object = this.#object(step.object)
    if (object.kind === 'election') await lead(step, object, this.#service(step.steps, claims))
  }

  async #deliver(step: Deliver, { claims }: Place): Promise<void> {
    const object = this.#object(step.object)
    if (!isData(object)) return
    await this.#orRejected('deliver', () => deliver(step, object, this.#service(step.steps, claims)))
  }

  async #receive(step: Receive, { claims }: Place): Promise<void> {
    const object = this.#object(step.object)
    if (!isData(object)) return
    await this.#orRejected('receive', () => receive(step, object, this.#service(step.steps, claims)))
  }

  async #work(step: Work, { claims }: Place): Promise<void> {
    const object = this.#object(step.object)
    if (object.kind === 'work') await work(step, object, this.#service(step.steps, claims))
  }

  /** Extends the innermost hold that can be extended. */
  async #extend({ leaseMs }: Extend, { claims }: Place): Promise<void> {
    const claim = claims.findLast(({ extend }) => extend !== undefined)
    if (claim?.isHeld() === true) await this.#extendBy(claim, leaseMs)
  }

  async #extendBy(claim: Claim, leaseMs: number): Promise<void> {
    const askedAt = this.#facts.recorder.now()
    try {
      await claim.extend?.(leaseMs)
    } catch (error) {
      this.#rejected('extend', error)
      return
    }
    claim.visit.extended(leaseMs)
    const until = sureUntil(askedAt, leaseMs === 0 ? this.#facts.watchdogMs : leaseMs)
    claim.sureUntil = Math.max(claim.sureUntil ?? until, until)
  }

  /** What a service works with that does steps itself. */
  #service(steps: readonly Step[], claims: readonly Claim[]): ServiceFacts {
    return {
      ...this.#facts,
      watch: this.#watch,
      visit: (...resources) =>
        this.#visit({}, { owner: this.#facts.newOwner(), resources, scope: undefined }),
      inside: (own) => this.perform(steps, { scope: undefined, claims: [...claims, ...own] }),
    }
  }

  async #latch({ object: index, act, waitMs }: Latch): Promise<void> {
    const object = this.#object(index)
    if (object.kind !== 'latch') return
    const latch = this.#facts.client.getCountDownLatch(object.name)
    try {
      if (act === 'set') await latch.trySetCount(object.count)
      else if (act === 'count-down') await latch.countDown()
      else await latch.await({ waitMs })
    } catch (error) {
      const word = wordFor(error)
      this.#facts.recorder.rejected(act, act === 'await' ? wordForWait(word) : word)
    }
  }

  async #use(step: Use): Promise<void> {
    await this.#orRejected('batch', () => this.#data.use(step))
  }

  async #orRejected(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#rejected(what, error)
    }
  }

  #rejected(what: string, error: unknown): void {
    this.#facts.recorder.rejected(what, wordFor(error))
  }

  async #wishing<T>(step: Enter, ask: (wish: Wish) => Promise<T>): Promise<T> {
    using patience = patienceOf(step)
    return await ask({ ...wishOf(step), ...patience.wish })
  }

  #visit(
    { leaseMs, waitMs }: Pick<Enter, 'leaseMs' | 'waitMs'>,
    facts: Pick<VisitFacts, 'owner' | 'resources' | 'scope'>,
  ): Visit {
    return new Visit({ recorder: this.#facts.recorder, leaseMs, waitMs, ...facts })
  }

  #leaseOf({ leaseMs = this.#facts.watchdogMs }: Enter): number {
    return leaseMs
  }

  #resourcesOf(object: SharedObject, permits = 1) {
    const resources = resourcesOf(object)
    return Array.from({ length: permits }, () => resources).flat()
  }

  #object(index: number): SharedObject {
    const object = this.#facts.objects[index]
    if (object === undefined) throw new RangeError(`Expected an object of the round, got ${String(index)}`)
    return object
  }

  #named(threadId: number): Scope {
    const { named } = this.#facts
    const scope = named.get(threadId) ?? new Scope(threadId, undefined)
    named.set(threadId, scope)
    return scope
  }

  #losses({ name }: AnyLock): number {
    return this.#facts.losses.get(name) ?? 0
  }
}

function names(resources: readonly Resource[]): string[] {
  return resources.map(({ name }) => name)
}
