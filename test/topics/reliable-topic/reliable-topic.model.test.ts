import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReliableSubscription, RReliableTopic } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 15 }

const NAMES = ['a', 'b', 'c'] as const
type Name = (typeof NAMES)[number]

type Step =
  | { readonly what: 'publish'; readonly fails: boolean }
  | { readonly what: 'attach'; readonly name: Name; readonly from: 'beginning' | 'now' }
  | { readonly what: 'detach' | 'remove' | 'replay' | 'skip'; readonly name: Name }

/** What a topic is: a list of messages, those of them that are still there, and a place in it for each subscriber. */
class Model {
  messages = 0
  first = 0
  readonly places = new Map<Name, number>()
  readonly attached = new Set<Name>()
  readonly heard: Record<Name, number[]> = { a: [], b: [], c: [] }

  publish(): void {
    this.messages += 1
    this.deliver()
  }

  attach(name: Name, from: 'beginning' | 'now'): void {
    if (!this.places.has(name)) this.places.set(name, from === 'now' ? this.messages : this.first)
    this.attached.add(name)
    this.deliver()
  }

  seek(name: Name, place: number): void {
    if (!this.places.has(name)) return
    this.places.set(name, place)
    this.deliver()
  }

  deliver(): void {
    for (const name of this.attached) {
      for (let next = this.places.get(name) ?? 0; next < this.messages; next += 1) {
        this.heard[name].push(next)
        this.places.set(name, next + 1)
        this.trim()
      }
    }
  }

  trim(): void {
    if (this.places.size > 0) this.first = Math.max(this.first, Math.min(...this.places.values()))
  }
}

const name = fc.constantFrom(...NAMES)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ what: fc.constant('publish' as const), fails: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant('attach' as const),
        name,
        from: fc.constantFrom('beginning' as const, 'now' as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constantFrom('detach' as const, 'remove' as const, 'replay' as const, 'skip' as const),
        name,
      }),
    },
  ),
  { minLength: 5, maxLength: 25 },
)

/** The real topic, used as the model is. */
class Real {
  readonly heard: Record<Name, number[]> = { a: [], b: [], c: [] }
  readonly failing = new Set<string>()
  readonly #topics: readonly RReliableTopic<number>[]
  readonly #subscriptions = new Map<Name, ReliableSubscription>()
  #turn = 0

  constructor(topics: readonly RReliableTopic<number>[]) {
    this.#topics = topics
  }

  get topic(): RReliableTopic<number> {
    this.#turn += 1
    return this.#topics[this.#turn % this.#topics.length] as RReliableTopic<number>
  }

  async attach(subscriber: Name, from: 'beginning' | 'now'): Promise<void> {
    const listener = (message: number) => {
      if (this.failing.delete(`${subscriber}${String(message)}`)) throw new Error('once')
      this.heard[subscriber].push(message)
    }
    const subscription = await this.topic.addListener(listener, { subscriber, from, retryDelayMs: 0 })
    subscription.on('error', () => undefined)
    this.#subscriptions.set(subscriber, subscription)
  }

  async detach(subscriber: Name): Promise<void> {
    await this.#subscriptions.get(subscriber)?.unsubscribe()
    this.#subscriptions.delete(subscriber)
  }
}

async function take(step: Step, model: Model, real: Real): Promise<void> {
  if (step.what === 'publish') {
    if (step.fails) for (const each of model.attached) real.failing.add(`${each}${String(model.messages)}`)
    expect(await real.topic.publish(model.messages)).toBe(model.places.size)
    model.publish()
    return
  }
  const { what, name: subscriber } = step
  const isAttached = model.attached.has(subscriber)
  if (what === 'attach' && !isAttached) {
    await real.attach(subscriber, step.from)
    model.attach(subscriber, step.from)
  } else if (what === 'detach' && isAttached) {
    await real.detach(subscriber)
    model.attached.delete(subscriber)
    model.trim()
  } else if (what === 'remove' && !isAttached) {
    expect(await real.topic.removeSubscriber(subscriber)).toBe(model.places.delete(subscriber))
    model.trim()
  } else if (what === 'replay' || what === 'skip') {
    const position = what === 'replay' ? 'beginning' : 'now'
    expect(await real.topic.seek(subscriber, position)).toBe(model.places.has(subscriber))
    if (isAttached && what === 'replay') await real.topic.publish(model.messages) // a place that moves wakes nobody
    model.seek(subscriber, what === 'replay' ? model.first : model.messages)
    if (isAttached && what === 'replay') model.publish()
  }
}

describe.each(topologies)('a reliable topic and its model ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('agree on any sequence of calls', { tags: ['random'], timeout: 120_000 }, async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const topicName = `model-reliable-${String(runs++)}`
        const real = new Real([
          clients.mine.getReliableTopic<number>(topicName),
          clients.other.getReliableTopic<number>(topicName),
        ])
        const model = new Model()
        try {
          for (const step of sequence) {
            await take(step, model, real)
            await eventually(() => expect(real.heard).toEqual(model.heard), { withinMs: 3_000 })
            if (model.attached.size > 0)
              await eventually(
                async () => {
                  const size = await real.topic.size()
                  expect(size).toBe(model.messages - model.first)
                },
                { withinMs: 3_000 },
              )
          }
        } finally {
          for (const each of NAMES) await real.detach(each)
          for (const each of NAMES) await real.topic.removeSubscriber(each)
          await real.topic.delete()
        }
      }),
      RUNS,
    )
  })
})
