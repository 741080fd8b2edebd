import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, type RedissonClient } from 'ioredisson'
import { startChild, type Child } from '../../test/support/child.js'
import type { ServerNode } from '../../test/support/launch/topology.js'
import type { Screen } from '../screen.js'
import { queues } from './queues.js'
import { names, type WorkerSettings } from './settings.js'
import type { ShippingStep } from './shipping-steps.js'

export const ORDERS = 100
export const WORKERS = 3

/** Between two orders that are paid: more than the workers need for them. */
const PAID_EVERY_MS = 40

/** Each worker is killed once, one of them every second. Those that take their places stay. */
const KILLED_EVERY_MS = 1_000

const LOOK_EVERY_MS = 50

/** An order that is not shipped by then is lost: a killed worker keeps it for a second and a half. */
const PATIENCE_MS = 30_000

const WORKER = new URL('worker.ts', import.meta.url)

/** The result of a step, in numbers. */
export interface Shipping {
  readonly paid: number
  /** Orders that were shipped. */
  readonly shipped: number
  /** Orders that came to a worker again after they had been shipped. None is shipped then. */
  readonly twice: number
  /** Orders that came again, because their worker was killed. */
  readonly again: number
  readonly killed: number
  readonly tookMs: number
}

/** Has orders paid and shipped, while workers are killed, and counts. */
export async function runShipping(step: ShippingStep, redis: ServerNode, screen: Screen): Promise<Shipping> {
  await redis.command('FLUSHALL')
  await using client = await Redisson.create({
    singleServerConfig: { address: `redis://${redis.host}:${String(redis.port)}` },
  })
  await using warehouse = new Warehouse(step, redis, screen)
  await warehouse.open()
  const startedAt = performance.now()
  const shop = pay(step, client)
  const deadline = startedAt + PATIENCE_MS
  let shipped = 0
  while (shipped < ORDERS - warehouse.lost && performance.now() < deadline) {
    await sleep(LOOK_EVERY_MS)
    shipped = await client.getSet(names.shipped).size()
    screen.progress(() => `     ${String(shipped)} of ${String(ORDERS)} orders shipped`)
  }
  const paid = await shop
  const { killed, again, twice } = warehouse
  return { paid, shipped, twice, again, killed, tookMs: performance.now() - startedAt }
}

/** Has one order after the other paid. Returns how many. */
async function pay({ queue }: ShippingStep, client: RedissonClient): Promise<number> {
  for (let n = 1; n <= ORDERS; n += 1) {
    await queues[queue].pay(client, `order ${String(n)}`)
    await sleep(PAID_EVERY_MS)
  }
  return ORDERS
}

/** Workers, each of them a process of its own. */
class Warehouse implements AsyncDisposable {
  killed = 0
  again = 0
  twice = 0
  readonly #step: ShippingStep
  readonly #redis: ServerNode
  readonly #screen: Screen
  readonly #workers: Child[] = []

  constructor(step: ShippingStep, redis: ServerNode, screen: Screen) {
    this.#step = step
    this.#redis = redis
    this.#screen = screen
  }

  /** Orders that killed workers had taken from a queue that removes what it delivers. */
  get lost(): number {
    return this.#step.queue === 'blocking-queue' ? this.killed : 0
  }

  async open(): Promise<void> {
    const workers = Array.from({ length: WORKERS }, (_, n) => this.#hire(KILLED_EVERY_MS * (n + 1)))
    await Promise.all(workers.map((worker) => worker.hear('ready')))
  }

  #hire(doomedAfterMs: number): Child {
    const { host, port } = this.#redis
    const settings: WorkerSettings = { queue: this.#step.queue, redis: { host, port }, doomedAfterMs }
    const worker = startChild(WORKER, { args: [JSON.stringify(settings)] })
    this.#workers.push(worker)
    void this.#count(worker, 'again', () => (this.again += 1))
    void this.#count(worker, 'twice', () => (this.twice += 1))
    void this.#watch(worker).catch(ignore) // it has ended
    return worker
  }

  async #count(worker: Child, event: string, add: () => void): Promise<void> {
    try {
      for (;;) {
        await worker.hear(event)
        add()
      }
    } catch {
      // it has ended
    }
  }

  /** Kills a worker that has an order in its hands, and hires another one. */
  async #watch(worker: Child): Promise<void> {
    await worker.hear('doomed')
    await worker.kill()
    this.killed += 1
    this.#screen.say(`     worker ${String(this.killed)} was killed (SIGKILL) with an order in its hands`)
    this.#hire(PATIENCE_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.kill()))
  }
}

function ignore(): void {}
