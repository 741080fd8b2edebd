import type { Clocked } from './clocked.js'

/** A process of a fleet, with the weights of the functions that wait in it. */
interface Process {
  readonly waiter: string
  readonly pending: number[]
  wakeAt: number
  isByRate: boolean
}

interface Running {
  readonly id: string
  readonly first: number
  readonly count: number
  readonly waiter: string
  readonly endsAt: number
}

/** A function that has begun, in which process and when, in milliseconds since the start. */
export interface Begun {
  readonly process: number
  readonly atMs: number
}

/**
 * Processes that ask when they are called, or when the last reply says so, and never otherwise. Messages and replies take no time, so that what
 * takes longer than it has to shows a call that is missing.
 */
export class Fleet {
  readonly begun: Begun[] = []
  readonly #clocked: Clocked
  readonly #aheadMs: number
  readonly #processes: readonly Process[]
  readonly #functionUs: number
  readonly #start: number
  readonly #running: Running[] = []
  #requests = 0

  constructor(
    clocked: Clocked,
    weights: readonly (readonly number[])[],
    { functionMs, aheadMs = 0 }: { readonly functionMs: number; readonly aheadMs?: number },
  ) {
    this.#clocked = clocked
    this.#aheadMs = aheadMs
    this.#functionUs = functionMs * 1000
    this.#start = clocked.now
    this.#processes = weights.map((pending, index) => ({
      waiter: `w${String(index)}`,
      pending: [...pending],
      wakeAt: clocked.now,
      isByRate: false,
    }))
  }

  get requests(): number {
    return this.#requests
  }

  /** Runs until no function waits or runs. Returns how long that takes, in milliseconds. */
  async run(): Promise<number> {
    for (;;) {
      const waking = this.#processes.filter(({ pending }) => pending.length > 0)
      const next = Math.min(
        ...[...this.#running.map(({ endsAt }) => endsAt), ...waking.map(({ wakeAt }) => wakeAt)],
      )
      if (next === Infinity) return (this.#clocked.now - this.#start) / 1000
      this.#clocked.now = Math.max(this.#clocked.now, next)
      const ended = this.#running.findIndex(({ endsAt }) => endsAt === next)
      if (ended >= 0) await this.#end(ended)
      else await this.#ask(waking.find(({ wakeAt }) => wakeAt === next) as Process)
      for (const call of await this.#clocked.calls()) this.#call(call)
    }
  }

  async #ask(process: Process): Promise<void> {
    const { waiter, pending } = process
    const { now } = this.#clocked
    const id = `r${String((this.#requests += 1))}`
    const weights = pending.slice(0, 3)
    const asked = { id, waiter, weights, aheadMs: this.#aheadMs }
    const { begins, retryMs, byRate } = await this.#clocked.ask(asked)
    let first = 1
    for (const [index, count] of pending.splice(0, begins.length).entries()) {
      const begin = now + (begins[index] ?? 0) * 1000
      this.#running.push({ id, first, count, waiter, endsAt: begin + this.#functionUs })
      this.begun.push({ process: this.#processes.indexOf(process), atMs: (begin - this.#start) / 1000 })
      first += count
    }
    process.isByRate = byRate
    process.wakeAt = now + retryMs * 1000
  }

  async #end(index: number): Promise<void> {
    const [{ id, first, count, waiter } = undefined as never] = this.#running.splice(index, 1)
    const { isNext } = await this.#clocked.giveBack(id, first, count, { waiter })
    if (isNext) this.#call(`${waiter} `)
  }

  #call(call: string): void {
    const [waiter, ms = ''] = call.split(' ')
    const process = this.#processes.find((each) => each.waiter === waiter)
    if (process === undefined || (ms === '' && process.isByRate)) return
    process.wakeAt = Math.min(process.wakeAt, this.#clocked.now + Number(ms) * 1000)
  }
}
