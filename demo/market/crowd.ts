import { setTimeout as sleep } from 'node:timers/promises'
import type { Balancer } from './balancer.js'

/** So many buyers stand in the shops at a time. */
const IN_FLIGHT = 40

const LOOK_AGAIN_MS = 50

/** How a crowd of buyers is sent. */
export interface CrowdOptions {
  readonly buyers: number
  /** Milliseconds without an answer to anybody, after which all give up. */
  readonly patienceMs: number
  /** Is told again and again how far it has come. */
  readonly onProgress: (answers: Answers) => void
}

/** What buyers heard, so far. */
export interface Answers {
  readonly sold: number
  readonly soldOut: number
  /** Answers that are none, such as an error of the shop. */
  readonly failed: number
}

/** Sends every buyer once. Resolves when all are answered, or when nobody has been for too long. */
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
      this.#balancer.close() // whoever still waits gives up
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
