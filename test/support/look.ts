import { afterAll, beforeAll } from 'vitest'
import { askOwner, ownerOf } from './ask-owner.js'
import type { ClientTopology, ServerNode } from './launch/topology.js'
import { Monitor } from './monitor.js'

/** Returns the members of a sorted set, in hexadecimal digits because they may be binary, and their scores. */
const IN_HEX = `
  local found = redis.call('zrange', KEYS[1], 0, -1, 'withscores')
  for i = 1, #found, 2 do
    found[i] = string.gsub(found[i], '.', function(byte) return string.format('%02x', string.byte(byte)) end)
  end
  return found`

/** How keys and messages look without knowledge of this library. */
export class Look {
  /** The command by which scripts publish here. */
  readonly publish: 'publish' | 'spublish'
  readonly #topology: ClientTopology<ServerNode>
  #monitor: Monitor | undefined

  constructor(topology: ClientTopology<ServerNode>) {
    this.publish = topology.kind === 'cluster' ? 'spublish' : 'publish'
    this.#topology = topology
    beforeAll(async () => {
      this.#monitor = await Monitor.of(topology.nodes)
    })
    afterAll(() => this.#monitor?.[Symbol.asyncDispose]())
  }

  /** Sends a command about a key. */
  ask(key: string, command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return askOwner(this.#topology, key, command, ...args)
  }

  /** The members of a sorted set, in hexadecimal digits, and their scores. */
  async membersOf(key: string): Promise<Readonly<Record<string, string>>> {
    const owner = await ownerOf(this.#topology, key)
    const found = (await owner.command('EVAL', IN_HEX, 1, key)) as string[]
    const pairs = found.flatMap((member, index) => (index % 2 === 0 ? [[member, found[index + 1]]] : []))
    return Object.fromEntries(pairs) as Record<string, string>
  }

  /** What was published at a channel until now, each with the command that did it. */
  async messagesAt(channel: string): Promise<readonly string[]> {
    const published = (await this.#monitor?.published()) ?? []
    return published.flatMap(([command, at, message]) =>
      at === channel ? [`${String(command)} ${String(message)}`] : [],
    )
  }
}
