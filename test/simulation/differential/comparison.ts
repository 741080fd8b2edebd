import { expect } from 'vitest'
import type { Bytes, Reply } from '../server/reply.js'
import { comparable } from './comparable.js'
import { realVersion } from './real-version.js'
import { differenceOf } from './version-differences.js'

/** Compares replies of the simulated server with those of a real one, and counts them. */
export class Comparison {
  #equal = 0
  readonly #different = new Map<string, number>()

  /** How many replies were compared. */
  get count(): number {
    return this.#equal + [...this.#different.values()].reduce((sum, each) => sum + each, 0)
  }

  /** How many replies were equal, and how many differ from version to version. */
  get summary(): string {
    const { name, number } = realVersion
    const different = [...this.#different].map(([why, count]) => `${String(count)} differ: ${why}`)
    return [`${name} ${number.toFixed(1)}: ${String(this.#equal)} replies are equal`, ...different].join('\n')
  }

  /** Demands that commands have the same replies. */
  demandAllSame(
    commands: readonly (readonly Bytes[])[],
    simulated: readonly Reply[],
    real: readonly Reply[],
    context: unknown = commands,
  ): void {
    for (const [n, words] of commands.entries())
      this.demandSame(words, simulated[n] as Reply, real[n] as Reply, context)
  }

  /**
   * Demands that a command has the same reply, or one that is known to differ in the version of the real server.
   *
   * @param context - where it was sent, for the message
   */
  demandSame(words: readonly Bytes[], simulated: Reply, real: Reply, context: unknown): void {
    const reply = comparable(words, simulated, real)
    const why = differenceOf(words, reply, real)
    if (why === undefined) expect({ context, words, reply }).toEqual({ context, words, reply: real })
    this.#note(why)
  }

  #note(why: string | undefined): void {
    if (why === undefined) this.#equal += 1
    else this.#different.set(why, (this.#different.get(why) ?? 0) + 1)
  }
}
