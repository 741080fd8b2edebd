import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { eventually } from './eventually.js'
import type { ServerNode } from './launch/topology.js'

/** One command that a server has carried out. */
export interface Deed {
  /** The command, in lower case, and its arguments. */
  readonly words: readonly string[]
  /** Who asked: a script, or whoever is at an address. */
  readonly by: 'script' | 'client'
}

/** Watches what servers do. */
export class Monitor implements AsyncDisposable {
  readonly #watches: readonly Watch[]

  private constructor(watches: readonly Watch[]) {
    this.#watches = watches
  }

  /** Watches from now on. */
  static async of(nodes: readonly ServerNode[]): Promise<Monitor> {
    return new Monitor(await Promise.all(nodes.map(startWatch)))
  }

  /** All that was done until now, in order for each server. */
  async deeds(): Promise<readonly Deed[]> {
    return (await Promise.all(this.#watches.map((watch) => watch.deeds()))).flat()
  }

  /** What was published until now: the command, the channel and the message of each. */
  async published(): Promise<readonly (readonly string[])[]> {
    const deeds = await this.deeds()
    return deeds
      .filter(({ words, by }) => by === 'script' && /^s?publish$/.test(words[0] ?? ''))
      .map(({ words }) => words)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watch of this.#watches) watch.stop()
    return Promise.resolve()
  }
}

interface Watch {
  deeds(): Promise<readonly Deed[]>
  stop(): void
}

async function startWatch(node: ServerNode): Promise<Watch> {
  const client = new Redis({ host: node.host, port: node.port, protocol: 2, retryStrategy: () => null })
  const monitor = await client.monitor()
  const deeds: Deed[] = []
  monitor.on('monitor', (_time: string, words: string[], source: string) => {
    const [name = '', ...args] = words
    deeds.push({ words: [name.toLowerCase(), ...args], by: source === 'lua' ? 'script' : 'client' })
  })
  return {
    deeds: async () => {
      const marker = randomUUID() // whatever was done before it has been told before it
      await node.command('ECHO', marker)
      const end = await eventually(() => {
        const index = deeds.findIndex(({ words }) => words[1] === marker)
        return index >= 0 && { index }
      })
      return deeds.slice(0, end.index).filter(({ words }) => words[0] !== 'echo')
    },
    stop: () => {
      monitor.disconnect()
      client.disconnect()
    },
  }
}
