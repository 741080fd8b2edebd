import { cleaningLatch } from '../../../src/core/context/names.js'
import { ownerOf } from '../../support/ask-owner.js'
import type { ServerNode, Topology } from '../../support/launch/topology.js'

/** From this score on, a value does not end. */
const NO_END = 9e16

/** A moment that has passed. */
const PAST = 1

/** Looks at the keys of set caches past the library, and has values end without waiting. Values are texts in JSON. */
export class SetCacheLook {
  readonly #topology: Topology<ServerNode>

  constructor(topology: Topology<ServerNode>) {
    this.#topology = topology
  }

  /** Has values end. */
  async end(name: string, values: readonly unknown[]): Promise<void> {
    for (let at = 0; at < values.length; at += 1_000)
      await this.ask(
        name,
        'ZADD',
        name,
        'XX',
        ...values.slice(at, at + 1_000).flatMap((value) => [PAST, JSON.stringify(value)]),
      )
  }

  /** How many milliseconds are left of a value: infinite without an end, undefined where it is not there. */
  async timeLeft(name: string, value: unknown): Promise<number | undefined> {
    const score = await this.ask(name, 'ZSCORE', name, JSON.stringify(value))
    if (score === null) return undefined
    return Number(score) > NO_END ? Infinity : Number(score) - Date.now()
  }

  /** The values that Redis has, whether or not they have ended. */
  async members(name: string): Promise<unknown[]> {
    const found = (await this.ask(name, 'ZRANGE', name, 0, -1)) as string[]
    return found.toSorted().map((value) => JSON.parse(value) as unknown)
  }

  /** Removes what a client that has cleaned leaves for a while. */
  async forgetCleaning(name: string): Promise<void> {
    await this.ask(name, 'DEL', cleaningLatch(name))
  }

  async ask(name: string, command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return await (await ownerOf(this.#topology, name)).command(command, ...args)
  }
}
