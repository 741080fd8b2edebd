import type { Delivery, RReliableQueue } from '../../../src/index.js'
import { GaveUp } from '../gave-up.js'
import { QUEUE_OPTIONS } from '../data/queue-methods.js'
import { deliveryOf, groupOf, type DataObject } from '../objects.js'
import type { Deliver } from '../program.js'
import type { Claim } from './claims.js'
import type { ServiceFacts } from './service-facts.js'
import { sureUntil } from './sure.js'
import { patienceOf } from './wishes.js'
import { mayHaveRun, wordFor, wordForWait } from './word-for.js'

/** Takes messages of a queue, does steps with each, and settles it. */
export async function deliver(step: Deliver, object: DataObject, facts: ServiceFacts): Promise<void> {
  await new Worker(step, object, facts).work()
}

class Worker {
  readonly #step: Deliver
  readonly #object: DataObject
  readonly #facts: ServiceFacts
  readonly #queue: RReliableQueue<string>
  readonly #flow: number

  constructor(step: Deliver, object: DataObject, facts: ServiceFacts) {
    this.#step = step
    this.#object = object
    this.#facts = facts
    this.#queue = facts.client.getReliableQueue<string>(object.name, QUEUE_OPTIONS)
    this.#flow = facts.newOwner()
  }

  async work(): Promise<void> {
    using patience = patienceOf(this.#step)
    const wish = { ...this.#visibility, ...patience.wish }
    if (this.#step.form === 'poll') await this.#poll(wish)
    else await this.#consume(wish)
  }

  async #poll(wish: { readonly signal?: AbortSignal }): Promise<void> {
    const { count, waitMs } = this.#step
    const askedAt = this.#facts.recorder.now()
    const deliveries = await this.#taken(() => this.#queue.poll(count, { waitMs, ...wish }))
    await Promise.all((deliveries ?? []).map((delivery) => this.#workOn(delivery, askedAt)))
  }

  /** Ends with its messages, or when none comes in time. */
  async #consume(wish: { readonly signal?: AbortSignal }): Promise<void> {
    const { count, waitMs } = this.#step
    const end = new AbortController()
    const signal = AbortSignal.any([end.signal, ...(wish.signal ? [wish.signal] : [])])
    const messages = this.#queue.consume({ ...wish, signal })[Symbol.asyncIterator]()
    for (let left = count; left > 0; left -= 1) {
      const timer = setTimeout(() => end.abort(new GaveUp('no message came')), waitMs)
      const [delivery] = (await this.#taken(async () => deliveryIn(await messages.next()))) ?? []
      clearTimeout(timer)
      if (delivery === undefined) return
      await this.#workOn(delivery, -Infinity) // it may have been taken before it was asked for
    }
    await messages.return?.()
  }

  /** Writes down what is delivered. */
  async #taken(take: () => Promise<Delivery<string>[]>): Promise<Delivery<string>[] | undefined> {
    const called = this.#call('poll')
    try {
      const deliveries = await take()
      called.ok(deliveries.map(({ value }) => value))
      return deliveries
    } catch (error) {
      called.failed(wordForWait(wordFor(error)), mayHaveRun(error))
      return undefined
    }
  }

  async #workOn(delivery: Delivery<string>, askedAt: number): Promise<void> {
    const { watch } = this.#facts
    const visit = this.#facts.visit(deliveryOf(this.#object, delivery.value), ...this.#groups(delivery))
    visit.granted()
    const claim: Claim = {
      visit,
      object: { kind: 'lock', name: this.#object.name },
      number: -1,
      owner: undefined,
      id: undefined,
      sureUntil: sureUntil(askedAt, this.#step.visibilityMs ?? this.#facts.watchdogMs),
      isHeld: () => !delivery.signal.aborted,
    }
    watch.note(claim)
    await this.#facts.inside([claim])
    watch.note(claim)
    if (this.#step.settle === 'leave') return
    visit.leaving()
    await this.#settle(delivery, this.#step.settle)
    visit.left()
  }

  #groups({ group }: Delivery<string>) {
    return group === undefined ? [] : [groupOf(this.#object, group)]
  }

  async #settle(delivery: Delivery<string>, how: 'ack' | 'nack' | 'reject' | 'release'): Promise<void> {
    const called = this.#call(how, delivery.value)
    try {
      await (how === 'nack' ? delivery.nack({ delayMs: this.#step.delayMs }) : delivery[how]())
      called.ok(undefined)
    } catch (error) {
      called.failed(wordFor(error), mayHaveRun(error))
    }
  }

  #call(method: string, value?: string) {
    const { kind, name } = this.#object
    const args = value === undefined ? {} : { values: [value] }
    return this.#facts.recorder.call({ flow: this.#flow, kind, name, method, args, exactlyOnce: false })
  }

  get #visibility() {
    const { visibilityMs } = this.#step
    return visibilityMs === undefined ? {} : { visibilityMs }
  }
}

function deliveryIn({ done, value }: IteratorResult<Delivery<string>>): Delivery<string>[] {
  return done === true ? [] : [value]
}
