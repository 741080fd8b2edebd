import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { EvictionService, type EvictionTask } from '../../../src/eviction/eviction-service.js'

/** What a run comes to: a count, the latch of another client, or an error; and how long it takes. */
interface Ending {
  readonly result: number | 'latch' | 'error'
  readonly seconds: number
}

type Step =
  | { readonly hold: number }
  /** One of those that hold something, by its number. */
  | { readonly release: number }
  | { readonly pass: number }

const NAMES = 3

const results = [0, 0, 0, 100, 100, 100, 50, 20, 10, 'latch', 'error'] as const
const endings: fc.Arbitrary<Ending[]> = fc.array(
  fc.record({ result: fc.constantFrom(...results), seconds: fc.constantFrom(0, 0, 0, 1, 6) }),
  { minLength: 1, maxLength: 7 },
)
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ hold: fc.nat(NAMES - 1) }),
    fc.record({ release: fc.nat() }),
    fc.record({ pass: fc.integer({ min: 1, max: 40 }) }),
  ),
  { maxLength: 40 },
)

/** A run as it was begun: when, in seconds, of what, and with which delay. */
type Begun = `${number} s: ${number}, delay ${number}`

describe('the eviction service, beside a model that looks at every object in every second', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it('begins the same runs at the same times', async () => {
    await fc.assert(
      fc.asyncProperty(steps, endings, async (all, ends) => {
        const [real, model] = [new Real(ends), new Model(ends)]
        for (const step of all) {
          if ('hold' in step) for (const each of [real, model]) each.hold(step.hold)
          else if ('release' in step) for (const each of [real, model]) each.release(step.release)
          else
            for (let second = 0; second < step.pass; second += 1) {
              await real.second()
              model.second()
            }
          expect(real.begun.toSorted()).toEqual(model.begun.toSorted())
          expect(real.aborted).toBe(model.aborted)
          expect(vi.getTimerCount()).toBeLessThanOrEqual(1 + real.underWay)
        }
        real.close()
        expect(vi.getTimerCount()).toBe(real.underWay)
        vi.clearAllTimers()
      }),
      { numRuns: 300 },
    )
  })
})

/** The endings of the runs of each name, in turn. */
class Endings {
  readonly #all: readonly Ending[]
  readonly #runs = Array.from({ length: NAMES }, () => 0)

  constructor(all: readonly Ending[]) {
    this.#all = all
  }

  next(name: number): Ending {
    const run = (this.#runs[name] ?? 0) + 1
    this.#runs[name] = run
    const ending = this.#all[(run + name) % this.#all.length]
    if (ending === undefined) throw new RangeError('Expected at least one ending, got none')
    return ending
  }
}

class Real {
  readonly begun: Begun[] = []
  aborted = 0
  underWay = 0
  readonly #closing = new AbortController()
  readonly #service = new EvictionService(this.#closing.signal)
  readonly #endings: Endings
  readonly #releases: (() => void)[] = []
  #now = 0

  constructor(endings: readonly Ending[]) {
    this.#endings = new Endings(endings)
  }

  hold(name: number): void {
    this.#releases.push(this.#service.hold(String(name), this.#taskOf(name)))
  }

  release(number: number): void {
    const [release] = this.#releases.splice(number % Math.max(1, this.#releases.length), 1)
    release?.()
  }

  async second(): Promise<void> {
    this.#now += 1
    await vi.advanceTimersByTimeAsync(1_000)
  }

  close(): void {
    this.#closing.abort()
  }

  #taskOf(name: number): EvictionTask {
    return async (signal, { delaySeconds }) => {
      this.begun.push(`${this.#now} s: ${name}, delay ${delaySeconds}`)
      const { result, seconds } = this.#endings.next(name)
      signal.addEventListener('abort', () => {
        this.aborted += 1
      })
      if (seconds > 0) await this.#sleep(seconds)
      if (result === 'error') throw new Error('planted')
      return result === 'latch' ? undefined : result
    }
  }

  async #sleep(seconds: number): Promise<void> {
    this.underWay += 1
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    this.underWay -= 1
  }
}

interface Held {
  readonly name: number
  holders: number
  dueAt: number
  delay: number
  readonly counts: number[]
  run: (Ending & { readonly endsAt: number }) | undefined
}

class Model {
  readonly begun: Begun[] = []
  aborted = 0
  readonly #endings: Endings
  readonly #held: Held[] = []
  readonly #holders: Held[] = []
  #now = 0

  constructor(endings: readonly Ending[]) {
    this.#endings = new Endings(endings)
  }

  hold(name: number): void {
    let held = this.#held.find((each) => each.name === name)
    if (held === undefined) {
      held = { name, holders: 0, dueAt: this.#now + 5, delay: 5, counts: [], run: undefined }
      this.#held.push(held)
    }
    held.holders += 1
    this.#holders.push(held)
  }

  release(number: number): void {
    const [held] = this.#holders.splice(number % Math.max(1, this.#holders.length), 1)
    if (held === undefined) return
    held.holders -= 1
    if (held.holders > 0) return
    this.#held.splice(this.#held.indexOf(held), 1)
    if (held.run !== undefined) this.aborted += 1
  }

  second(): void {
    this.#now += 1
    for (const held of this.#held) {
      if (held.run?.endsAt === this.#now) this.#end(held, held.run)
      if (held.run === undefined && held.dueAt === this.#now) this.#begin(held)
    }
  }

  #begin(held: Held): void {
    this.begun.push(`${this.#now} s: ${held.name}, delay ${held.delay}`)
    const ending = this.#endings.next(held.name)
    held.run = { ...ending, endsAt: this.#now + ending.seconds }
    if (ending.seconds === 0) this.#end(held, ending)
  }

  #end(held: Held, { result }: Ending): void {
    held.run = undefined
    if (typeof result === 'number') held.delay = this.#delayAfter(held, result)
    held.dueAt = this.#now + held.delay
  }

  /** The rules once more, as they are written down. */
  #delayAfter({ counts, delay }: Held, c: number): number {
    const [a, b] = counts.slice(-2)
    counts.push(c)
    if (a === undefined || b === undefined) return delay
    const longer = Math.min(1_800, Math.floor(1.5 * delay))
    if (a > b && b > c) return longer
    if (a !== b || b !== c) return delay
    if (c >= 100) return Math.max(5, Math.floor(delay / 4))
    return c === 0 ? longer : delay
  }
}
