import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageDelivery, StreamDelivery } from '../../../src/index.js'
import { FIELD } from '../data/group-messages.js'
import { GaveUp } from '../gave-up.js'
import { deliveryOf, type DataObject } from '../objects.js'
import type { Receive } from '../program.js'
import type { Claim } from './claims.js'
import { Failed, type ServiceFacts } from './service-facts.js'
import { patienceOf } from './wishes.js'
import { mayHaveRun, wordFor } from './word-for.js'

/** After this time others get what a consumer of a stream has and does not settle. */
const CLAIM_IDLE_MS = 200

/** How soon a listener that has failed gets its message again. */
const RETRY_MS = 10

/** Receives messages of a stream or of a reliable topic, does steps with each, and settles it. */
export async function receive(step: Receive, object: DataObject, facts: ServiceFacts): Promise<void> {
  const receiver = new Receiver(step, object, facts)
  using patience = patienceOf(step)
  if (object.kind === 'stream') await receiver.consume(patience.wish)
  else await receiver.listen(patience.wish)
}

class Receiver {
  readonly #step: Receive
  readonly #object: DataObject
  readonly #facts: ServiceFacts
  readonly #flow: number

  constructor(step: Receive, object: DataObject, facts: ServiceFacts) {
    this.#step = step
    this.#object = object
    this.#facts = facts
    this.#flow = facts.newOwner()
  }

  /** Ends with its messages, or when none comes in time. */
  async consume({ signal }: { readonly signal?: AbortSignal }): Promise<void> {
    const { group, count, waitMs } = this.#step
    const end = new AbortController()
    const options = {
      claimIdleMs: CLAIM_IDLE_MS,
      signal: AbortSignal.any([end.signal, ...(signal ? [signal] : [])]),
    }
    const stream = this.#facts.client.getStream<string, string>(this.#object.name)
    const called = this.#call('consume')
    const received: string[] = []
    try {
      const messages = stream.consumer(group, options)[Symbol.asyncIterator]()
      for (let left = count; left > 0; left -= 1) {
        const timer = setTimeout(() => end.abort(new GaveUp('no message came')), waitMs)
        const next = await messages.next()
        clearTimeout(timer)
        if (next.done === true) return
        received.push(valueIn(next.value))
        await this.#facts.inside([])
        await this.#settle(next.value)
      }
      await messages.return?.()
    } finally {
      called.ok(received)
    }
  }

  async #settle(delivery: StreamDelivery<string, string>): Promise<void> {
    const { settle } = this.#step
    if (settle === 'leave') return
    const called = this.#call(settle, valueIn(delivery))
    try {
      await delivery[settle]()
      called.ok(undefined)
    } catch (error) {
      called.failed(wordFor(error), mayHaveRun(error))
    }
  }

  /** Ends with its messages, or when its time is over. */
  async listen({ signal }: { readonly signal?: AbortSignal }): Promise<void> {
    const { group: subscriber, count, waitMs } = this.#step
    const { client, recorder } = this.#facts
    const full = new AbortController()
    let left = count
    const listener = async (message: string, delivery: MessageDelivery) => {
      left -= 1
      if (left <= 0) full.abort()
      await this.#hear(message, delivery)
    }
    const options = { subscriber, maxDeliveries: Infinity, retryDelayMs: RETRY_MS, ...(signal && { signal }) }
    const topic = client.getReliableTopic<string>(this.#object.name)
    const subscription = await topic.addListener(listener, options)
    subscription.on('gap', () => {
      recorder.trouble(`${subscriber} has a gap`)
    })
    subscription.on('error', (error) => {
      if (!(error instanceof Failed)) recorder.rejected('listen', wordFor(error))
    })
    const end = AbortSignal.any([full.signal, ...(signal ? [signal] : [])])
    await sleep(waitMs, undefined, { signal: end }).catch(() => undefined)
    await subscription.unsubscribe()
  }

  async #hear(message: string, delivery: MessageDelivery): Promise<void> {
    const { watch } = this.#facts
    const { settle, group } = this.#step
    const visit = this.#facts.visit(deliveryOf(this.#object, group))
    const called = this.#call('listen', message)
    visit.granted()
    const claim: Claim = {
      visit,
      object: { kind: 'lock', name: this.#object.name },
      number: -1,
      owner: undefined,
      id: undefined,
      isHeld: () => !delivery.signal.aborted,
    }
    watch.note(claim)
    await this.#facts.inside([claim])
    watch.note(claim)
    visit.leaving()
    visit.left()
    if (settle === 'ack') {
      called.ok(undefined)
      return
    }
    called.failed('Failed', false)
    throw new Failed('as its program says')
  }

  #call(method: string, value?: string) {
    const { kind, name } = this.#object
    const args = { key: this.#step.group, ...(value !== undefined && { values: [value] }) }
    return this.#facts.recorder.call({ flow: this.#flow, kind, name, method, args, exactlyOnce: false })
  }
}

function valueIn({ fields }: StreamDelivery<string, string>): string {
  return fields.get(FIELD) ?? ''
}
