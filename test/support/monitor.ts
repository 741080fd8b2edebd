import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { eventually } from './eventually.js'
import type { ServerNode } from './launch/topology.js'

/** One command that a server has carried out. */
export interface Deed {
  /** The command, in lower case, and its arguments. */
  readonly words: readonly string[]
  /** The sender: a script, or the client at an address. */
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

  /** All that was done until now with a name among the words, as key, channel or argument. */
  async deedsOn(name: string): Promise<readonly Deed[]> {
    return (await this.deeds()).filter(({ words }) => words.includes(name))
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
  const socket = connect(node.port, node.host)
  const lines: string[] = []
  createInterface(socket).on('line', (line) => lines.push(line))
  await once(socket, 'connect')
  socket.write('MONITOR\r\n')
  await eventually(() => lines[0] === '+OK', { what: 'a monitor' })
  return {
    deeds: async () => {
      const marker = randomUUID() // all earlier commands have been reported before it
      await node.command('ECHO', marker)
      await eventually(() => lines.some((line) => line.includes(marker)))
      const end = lines.findIndex((line) => line.includes(marker))
      return lines
        .slice(1, end)
        .map(parse)
        .filter(({ words }) => words[0] !== 'echo')
    },
    stop: () => {
      socket.destroy()
    },
  }
}

/** Reads a line such as `+1339518083.107412 [0 127.0.0.1:60866] "set" "key" "value"`. */
function parse(line: string): Deed {
  const [name = '', ...args] = Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, text = '']) =>
    unescape(text),
  )
  return { words: [name.toLowerCase(), ...args], by: / lua\] /.test(line) ? 'script' : 'client' }
}

function unescape(text: string): string {
  const bytes = text.replace(/\\(x[0-9a-f]{2}|.)/g, (_, code: string) => {
    if (code.startsWith('x')) return String.fromCharCode(parseInt(code.slice(1), 16))
    return { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' }[code] ?? code
  })
  return Buffer.from(bytes, 'latin1').toString()
}
