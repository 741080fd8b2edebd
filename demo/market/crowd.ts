import { setTimeout as sleep } from 'node:timers/promises'
import type { Balancer } from './balancer.js'

/** The number of concurrent buyers. */
const IN_FLIGHT = 40

const LOOK_AGAIN_MS = 50

/** How a crowd of buyers is sent. */
export interface CrowdOptions {
  readonly buyers: number
  /** Milliseconds without any response, after which all give up. */
  readonly patienceMs: number
  /** Is called repeatedly with the progress. */
  readonly onProgress: (answers: Answers) => void
}

/** What buyers heard, so far. */
export interface Answers {
  readonly sold: number
  readonly soldOut: number
  /** Failed orders, such as by an error of the shop. */
  readonly failed: number
}

/** Sends every buyer once. Resolves when all have a response, or when none came for too long. */
export async function sendCrowd(balancer: Balancer, options: CrowdOptions): Promise<Answers> {
  return await new Crowd(balancer, options).send()
}

class Crowd {
  readonly #balancer: Balancer
  readonly #options: CrowdOptions
  readonly #answers = { sold: 0, soldOut: 0, failed: 0 }
  #next = 0
  #lastAnswerAt = performance.now()
  #over = false

  constructor(balancer: Balancer, options: CrowdOptions) {
    this.#balancer = balancer
    this.#options = options
  }

  async send(): Promise<Answers> {
    const queues = Promise.all(Array.from({ length: IN_FLIGHT }, () => this.#queue()))
    try {
      await Promise.race([queues, this.#untilPatienceEnds()])
    } finally {
      this.#over = true
      this.#balancer.close() // pending orders fail
    }
    await queues
    return this.#answers
  }

  async #queue(): Promise<void> {
    while (this.#next < this.#options.buyers && !this.#over) await this.#buy(this.#next++)
  }

  async #buy(buyer: number): Promise<void> {
    try {
      this.#answers[meaningOf(await this.#balancer.order(buyer))] += 1
      this.#lastAnswerAt = performance.now()
    } catch (error) {
      if (!this.#over) throw error
    }
  }

  async #untilPatienceEnds(): Promise<void> {
    const { patienceMs, onProgress } = this.#options
    while (!this.#over && performance.now() - this.#lastAnswerAt < patienceMs) {
      onProgress(this.#answers)
      await sleep(LOOK_AGAIN_MS)
    }
  }
}

function meaningOf(status: number): keyof Answers {
  switch (status) {
    case 201:
      return 'sold'
    case 410:
      return 'soldOut'
    default:
      return 'failed'
  }
}
