import { asyncWrapProviders, createHook, type AsyncHook } from 'node:async_hooks'

/** Real work that a program has begun. */
interface Found {
  readonly type: string
  readonly stack: string
}

/** What Node calls the resources behind real work. */
const REAL = new Set([...Object.keys(asyncWrapProviders), 'Timeout', 'Immediate'])
for (const type of ['NONE', 'PROMISE']) REAL.delete(type)

/** Frames of a stack that are looked at. */
const DEPTH = 40

/**
 * Finds programs that wait for the real world, where nothing may: real timers, files, sockets, threads. A run that depends on them is not
 * the same again.
 */
export class RealWorkWatch {
  readonly #hook: AsyncHook | undefined
  #isTurn = false
  #found: Found | undefined

  constructor(realWork: 'refuse' | 'allow') {
    if (realWork === 'allow') return
    this.#hook = createHook({
      init: (_id, type) => {
        if (this.#isTurn && this.#found === undefined && REAL.has(type)) this.#look(type)
      },
      trackPromises: false,
    })
  }

  start(): void {
    this.#hook?.enable()
  }

  stop(): void {
    this.#hook?.disable()
    this.#isTurn = false
    this.#found = undefined
  }

  beginTurn(): void {
    this.#isTurn = true
  }

  /** @throws Error if real work was begun in the turn */
  endTurn(): void {
    this.#isTurn = false
    if (this.#found === undefined) return
    const { type, stack } = this.#found
    throw new Error(
      `The simulation has met real work (${type}), which no seed decides. It was begun\n${stack}`,
    )
  }

  #look(type: string): void {
    const frames = stackHere()
    if (isOfProgram(frames)) this.#found = { type, stack: frames.join('\n') }
  }
}

function stackHere(): readonly string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = DEPTH
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack.split('\n').slice(4) // the message, this function, its caller and the hook
}

/**
 * The test runner and the console do real work at any time, and no program waits for it. What `node:zlib` does synchronously is done when
 * it returns. Of work that no code begins, the beginning was seen before.
 */
function isOfProgram(frames: readonly string[]): boolean {
  if (frames.some((frame) => /node:internal\/console|\bsyncBufferWrapper \(node:zlib/.test(frame)))
    return false
  const first = frames.find((frame) => !/\(?node:/.test(frame))
  return first !== undefined && !/node_modules\/(@?vitest|tinypool|birpc)\//.test(first)
}
