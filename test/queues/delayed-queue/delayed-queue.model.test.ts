import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RBlockingQueue, RDelayedQueue } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { topologies } from '../../support/topologies.js'

/** How many sequences of calls are tried on each topology. */
const RUNS = { numRuns: 20 }

/** So far apart that no two elements are due at the same time, and none is due by itself. */
const APART_MS = 60_000

type Value = number | string | null

/** What waits, and what the destination has. */
class Model {
  waiting: { readonly value: Value; readonly delay: number }[] = []
  delivered: Value[] = []

  values(): Value[] {
    return this.waiting.map(({ value }) => value)
  }

  keep(wants: (value: Value) => boolean): boolean {
    const { length } = this.waiting
    this.waiting = this.waiting.filter(({ value }) => wants(value))
    return this.waiting.length < length
  }

  remove(value: Value): boolean {
    const found = this.values().indexOf(value)
    if (found >= 0) this.waiting.splice(found, 1)
    return found >= 0
  }

  lastTo(): Value | undefined {
    const last = this.waiting.pop()?.value
    if (last !== undefined) this.delivered.unshift(last)
    return last
  }

  transfer(): void {
    const due = this.waiting.toSorted((a, b) => a.delay - b.delay)
    this.delivered.push(...due.map(({ value }) => value))
    this.waiting = []
  }
}

interface Real {
  readonly delayed: RDelayedQueue<Value>
  readonly queue: RBlockingQueue<Value>
  /** Has all that waits be due. */
  readonly hurry: () => Promise<unknown>
}

type Command = fc.AsyncCommand<Model, Real>

const value = fc.constantFrom<Value>(0, 1, 'a', 'b', null)
const someValues = fc.array(value, { maxLength: 4 })

function command(
  name: string,
  model: (model: Model) => unknown,
  real: (real: Real) => Promise<unknown>,
): Command {
  return {
    check: () => true,
    run: async (expected, tested) => {
      const answer = model(expected)
      expect(await real(tested)).toEqual(answer)
      expect(await tested.delayed.readAll()).toEqual(expected.values())
    },
    toString: () => name,
  }
}

const commands = [
  fc.tuple(value, fc.integer({ min: 1, max: 1_000_000 })).map(([offered, delay]) =>
    command(
      `offer(${String(offered)}, ${String(delay)})`,
      (model) => {
        model.waiting.push({ value: offered, delay })
      },
      ({ delayed }) => delayed.offer(offered, delay * APART_MS),
    ),
  ),
  fc.constant(
    command(
      'poll()',
      (model) => model.waiting.shift()?.value,
      ({ delayed }) => delayed.poll(),
    ),
  ),
  fc.integer({ min: 0, max: 4 }).map((count) =>
    command(
      `poll(${String(count)})`,
      (model) => model.waiting.splice(0, count).map((each) => each.value),
      ({ delayed }) => delayed.poll(count),
    ),
  ),
  value.map((given) =>
    command(
      `remove(${String(given)})`,
      (model) => model.remove(given),
      ({ delayed }) => delayed.remove(given),
    ),
  ),
  value.map((given) =>
    command(
      `contains(${String(given)})`,
      (model) => model.values().includes(given),
      ({ delayed }) => delayed.contains(given),
    ),
  ),
  someValues.map((given) =>
    command(
      `removeAll(${JSON.stringify(given)})`,
      (model) => model.keep((each) => !given.includes(each)),
      ({ delayed }) => delayed.removeAll(given),
    ),
  ),
  someValues.map((given) =>
    command(
      `retainAll(${JSON.stringify(given)})`,
      (model) => model.keep((each) => given.includes(each)),
      ({ delayed }) => delayed.retainAll(given),
    ),
  ),
  someValues.map((given) =>
    command(
      `containsAll(${JSON.stringify(given)})`,
      (model) => given.every((each) => model.values().includes(each)),
      ({ delayed }) => delayed.containsAll(given),
    ),
  ),
  fc.constant(
    command(
      'pollLastAndOfferFirstTo()',
      (model) => model.lastTo(),
      ({ delayed, queue }) => delayed.pollLastAndOfferFirstTo(queue.name),
    ),
  ),
  fc.constant(
    command(
      'for await',
      (model) => model.values(),
      ({ delayed }) => allOf(delayed),
    ),
  ),
  fc.constant(
    command(
      'the time passes',
      (model) => {
        model.transfer()
        return model.delivered
      },
      async ({ delayed, queue, hurry }) => {
        await hurry()
        await eventually(() => delayed.isEmpty())
        return await queue.readAll()
      },
    ),
  ),
]

describe.each(topologies)('a delayed queue ($kind)', { tags: ['random'] }, (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)

  it('has the elements of a model, and delivers them in its order', async () => {
    let names = 0
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 40 }), async (sequence) => {
        const queue = clients.mine.getBlockingQueue<Value>(`model-delayed-${String(names++)}`)
        await using delayed = clients.mine.getDelayedQueue(queue)
        const dueTimes = `redisson_delay_queue_timeout:{${queue.name}}`
        const channel = `redisson_delay_queue_channel:{${queue.name}}`
        const hurry = async () => {
          await askOwner(topology, dueTimes, 'ZUNIONSTORE', 1, dueTimes, 'WEIGHTS', 0.01)
          await askOwner(topology, channel, 'PUBLISH', '1')
        }
        try {
          await fc.asyncModelRun(() => ({ model: new Model(), real: { delayed, queue, hurry } }), sequence)
        } finally {
          await delayed.delete()
          await queue.delete()
        }
      }),
      RUNS,
    )
  })
})
