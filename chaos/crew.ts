import { setTimeout as sleep } from 'node:timers/promises'
import { startChild, type Child } from '../test/support/child.js'
import type { ClientSettings } from './client/settings.js'
import type { RunClock } from './clock.js'
import type { ProcessEntry } from './history.js'
import type { Journal } from './journal.js'

const CLIENT = new URL('client/client.ts', import.meta.url)

/** After the last fault every flow has to acquire the lock again within this time. */
const SETTLED_WITHIN_MS = 30_000

export interface CrewFacts {
  readonly journal: Journal
  readonly clock: RunClock
  /** The number of the next client, counted from 1. */
  settingsOf(number: number): ClientSettings
}

/** A client process. */
export class Member {
  readonly name: string
  readonly child: Child

  constructor(name: string, child: Child) {
    this.name = name
    this.child = child
  }

  /** Keeps its event loop busy; resolves when it is free again. */
  async stall(ms: number): Promise<void> {
    this.child.tell('stall', { ms })
    await this.child.hear('stalled')
  }

  freeze(): void {
    this.child.pause()
  }

  thaw(): void {
    this.child.resume()
  }
}

/** The client processes of a run. */
export class Crew implements AsyncDisposable {
  /** Rejects if a client ends that was not to end. */
  readonly deserted: Promise<never>
  readonly #facts: CrewFacts
  readonly #members = new Set<Member>()
  readonly #desert: (error: Error) => void
  #hired = 0

  constructor(facts: CrewFacts) {
    this.#facts = facts
    const { promise, reject } = Promise.withResolvers<never>()
    this.deserted = promise
    this.deserted.catch(() => undefined) // its users handle it
    this.#desert = reject
  }

  get members(): readonly Member[] {
    return [...this.#members]
  }

  /** Starts one more client; resolves when it works. */
  async hire(): Promise<void> {
    this.#hired += 1
    const settings = this.#facts.settingsOf(this.#hired)
    this.#note(settings.process, 'started')
    const child = startChild(CLIENT, { args: [JSON.stringify(settings)] })
    const member = new Member(settings.process, child)
    this.#members.add(member)
    void child.exited.then(({ code, signal }) => {
      if (this.#members.has(member))
        this.#desert(
          new Error(`${member.name} has ended with ${String(signal ?? code)}: ${child.output.trim()}`),
        )
    })
    await child.hear('ready')
  }

  /** Ends a client without a warning. */
  async kill(member: Member): Promise<void> {
    this.#members.delete(member)
    await member.child.kill()
    this.#note(member.name, 'killed')
  }

  /** Resolves when all flows have come in and gone out once more, or it is too late, with those clients that have not. */
  async settle(): Promise<readonly string[]> {
    const late = sleep(SETTLED_WITHIN_MS, undefined, { ref: false })
    const stuck = await Promise.all(
      this.members.map(async ({ name, child }) => {
        child.tell('settle')
        return (await Promise.race([child.hear('settled'), late])) ? [] : [name]
      }),
    )
    return stuck.flat()
  }

  /** Lets all clients finish, and ends them in order. */
  async dismiss(): Promise<void> {
    await Promise.all(
      this.members.map(async (member) => {
        member.child.tell('stop')
        await member.child.hear('done')
        this.#members.delete(member)
        member.child.end()
        await member.child.exited
        this.#note(member.name, 'ended')
      }),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map((member) => this.kill(member)))
  }

  #note(process: string, phase: ProcessEntry['phase']): void {
    this.#facts.journal.write({ type: 'process', at: this.#facts.clock.now(), process, phase })
  }
}
