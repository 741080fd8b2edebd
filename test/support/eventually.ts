import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait for a condition. */
export interface EventuallyOptions {
  /**
   * Milliseconds until the condition is given up.
   *
   * @defaultValue 30000
   */
  readonly withinMs?: number
  /** What is waited for, to say so when it does not happen. */
  readonly what?: string
}

/** Between the first attempts. */
const FIRST_PAUSE_MS = 2
/** Between later attempts: what takes longer than a moment need not be noticed at once. */
const LONGEST_PAUSE_MS = 50

/**
 * Waits until a condition holds: until the function neither throws nor returns `false`. Resolves with what it returns.
 *
 * Never waits longer than needed, so the deadline can be generous.
 *
 * @throws Error that names the last failure, when the deadline has passed
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<T, false>> {
  const { withinMs = 30_000, what = 'the condition' } = options
  const deadline = performance.now() + withinMs
  let reason = 'no attempt settled'
  let cause: unknown
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const attempt = await attemptBy(deadline, condition)
    if (attempt.outcome === 'met') return attempt.answer
    if (attempt.outcome === 'false') reason = 'it is still false'
    if (attempt.outcome === 'failed') {
      cause = attempt.error
      reason = `the last attempt failed: ${cause instanceof Error ? cause.message : String(cause)}`
    }
    if (performance.now() >= deadline) break
    await sleep(pauseMs)
  }
  throw new Error(`Expected ${what} within ${withinMs} ms; ${reason}`, { cause })
}

type Attempt<T> =
  | { readonly outcome: 'met'; readonly answer: Exclude<T, false> }
  | { readonly outcome: 'false' }
  | { readonly outcome: 'no answer' }
  | { readonly outcome: 'failed'; readonly error: unknown }

async function attemptBy<T>(deadline: number, condition: () => T | Promise<T>): Promise<Attempt<T>> {
  const { promise: tooLate, resolve } = Promise.withResolvers<Attempt<T>>()
  const timer = setTimeout(
    () => {
      resolve({ outcome: 'no answer' })
    },
    Math.max(0, deadline - performance.now()),
  )
  timer.unref() // so that a condition which counts timers does not count this one
  try {
    return await Promise.race([attempt(condition), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

async function attempt<T>(condition: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    const answer = await condition()
    return answer === false ? { outcome: 'false' } : { outcome: 'met', answer: answer as Exclude<T, false> }
  } catch (error) {
    return { outcome: 'failed', error }
  }
}
