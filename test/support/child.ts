import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import * as nodeModules from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { protect } from './launch/guard.js'

/** A message between parent and child: something that happened, and facts about it. */
export interface ChildMessage {
  readonly event: string
  readonly [fact: string]: unknown
}

export interface ChildOptions {
  /** What follows the file's name on the command line. */
  readonly args?: readonly string[]
  /** Variables on top of this process's own. */
  readonly env?: Readonly<Record<string, string>>
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Has Node read the sources as they are, for processes and threads that are started with it. */
export const HOOKS = new URL('typescript-hooks.ts', import.meta.url).href

/** Whether the Node that runs the tests can do that: the oldest that the library runs on cannot. */
export const READS_TYPESCRIPT = 'registerHooks' in nodeModules

/** The Node of other processes: the one that runs the tests, or that of the project where the former reads no TypeScript. */
export const NODE = READS_TYPESCRIPT
  ? process.execPath
  : fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))

/** Where Node keeps what it has compiled. A process that reads the sources from there starts in half the time. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))

/**
 * Runs a file as a process of its own, with {@link NODE}. The file may be TypeScript and may import the
 * sources; it speaks by `child-side.ts`.
 *
 * The process ends, at the latest, with this one.
 */
export function startChild(file: URL, { args = [], env = {} }: ChildOptions = {}): Child {
  const child = spawn(NODE, ['--import', HOOKS, fileURLToPath(file), ...args], {
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
    stdio: 'pipe',
  })
  protect(child)
  return new Child(child)
}

interface Listener {
  readonly event: string
  readonly resolve: (message: ChildMessage) => void
  readonly reject: (error: Error) => void
}

/** A process that a test has started. */
export class Child implements AsyncDisposable {
  /** Resolves when the process has ended. */
  readonly exited: Promise<Exit>
  readonly #process: ChildProcessWithoutNullStreams
  readonly #unheard: ChildMessage[] = []
  readonly #listeners = new Set<Listener>()
  #output = ''
  #ended = false

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#process = child
    const closed = once(child, 'close') as Promise<[Exit['code'], Exit['signal']]>
    this.exited = closed.then(([code, signal]) => this.#end({ code, signal }))
    child.stdin.on('error', () => undefined) // a process that was killed hears nothing
    createInterface(child.stdout).on('line', (line) => {
      this.#hear(line)
    })
    child.stderr.on('data', (text: Buffer) => {
      this.#output += text.toString()
    })
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** What the process wrote that was no message, such as errors. */
  get output(): string {
    return this.#output
  }

  /** Sends the process a message. */
  tell(event: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.#process.stdin.write(`${JSON.stringify({ event, ...facts })}\n`)
  }

  /**
   * Resolves with the next message about an event that was not heard yet.
   *
   * @throws Error with all that the process wrote, if it ends instead
   */
  async hear(event: string): Promise<ChildMessage> {
    const index = this.#unheard.findIndex((message) => message.event === event)
    const [message] = index === -1 ? [] : this.#unheard.splice(index, 1)
    if (message) return message
    if (this.#ended) throw this.#endedBefore(event)
    return new Promise((resolve, reject) => this.#listeners.add({ event, resolve, reject }))
  }

  /** Closes its input, whereupon `child-side.ts` ends the process in order. */
  end(): void {
    this.#process.stdin.end()
  }

  /** Ends the process with SIGKILL: it has no chance to give anything back. */
  async kill(): Promise<Exit> {
    this.#process.kill('SIGKILL')
    return this.exited
  }

  /** Freezes the process with SIGSTOP. */
  pause(): void {
    this.#process.kill('SIGSTOP')
  }

  /** Ends a {@link Child.pause}. */
  resume(): void {
    this.#process.kill('SIGCONT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
  }

  #hear(line: string): void {
    const message = parse(line)
    if (!message) {
      this.#output += `${line}\n`
      return
    }
    const listener = [...this.#listeners].find(({ event }) => event === message.event)
    if (listener) {
      this.#listeners.delete(listener)
      listener.resolve(message)
    } else {
      this.#unheard.push(message)
    }
  }

  #end(exit: Exit): Exit {
    this.#ended = true
    for (const { event, reject } of this.#listeners) reject(this.#endedBefore(event))
    this.#listeners.clear()
    return exit
  }

  #endedBefore(event: string): Error {
    return new Error(
      `The process ended before it sent "${event}": ${this.#output.trim() || 'it said nothing'}`,
    )
  }
}

function parse(line: string): ChildMessage | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

function isMessage(value: unknown): value is ChildMessage {
  return typeof value === 'object' && value !== null && 'event' in value && typeof value.event === 'string'
}
