import { connect, type Socket } from 'node:net'
import { type Bytes, Refusal, type Reply, Status } from '../../reply.js'

/** The reply that a text begins with, and where the next one begins; undefined if there is more to come. */
type Read = readonly [reply: Reply, end: number] | undefined

const LINE_END = '\r\n'

/** One connection to a real server, whose replies lose no byte. */
export class RealServer {
  readonly #socket: Socket
  #received = ''
  readonly #waiting: ((reply: Reply) => void)[] = []

  private constructor(socket: Socket) {
    this.#socket = socket.setEncoding('latin1').on('data', (text: string) => {
      this.#received += text
      this.#deliver()
    })
  }

  static async connect({ host, port }: { host: string; port: number }): Promise<RealServer> {
    const socket = connect(port, host)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
    return new RealServer(socket)
  }

  command(...words: readonly Bytes[]): Promise<Reply> {
    const parts = words.map((word) => `$${word.length}${LINE_END}${word}${LINE_END}`)
    this.#socket.write(`*${words.length}${LINE_END}${parts.join('')}`, 'latin1')
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  evaluate(script: Bytes, keys: readonly Bytes[], argv: readonly Bytes[]): Promise<Reply> {
    return this.command('EVAL', script, String(keys.length), ...keys, ...argv)
  }

  close(): void {
    this.#socket.destroy()
  }

  #deliver(): void {
    for (let read = readReply(this.#received, 0); read; read = readReply(this.#received, 0)) {
      this.#received = this.#received.slice(read[1])
      this.#waiting.shift()?.(read[0])
    }
  }
}

function readReply(text: Bytes, start: number): Read {
  const lineEnd = text.indexOf(LINE_END, start)
  if (lineEnd < 0) return undefined
  const line = text.slice(start + 1, lineEnd)
  const next = lineEnd + LINE_END.length
  switch (text[start]) {
    case '+':
      return [new Status(line), next]
    case '-':
      return [new Refusal(line), next]
    case ':':
      return [integerOf(line), next]
    case '$':
      return readBulk(text, Number(line), next)
    default:
      return readList(text, Number(line), next)
  }
}

function readBulk(text: Bytes, length: number, start: number): Read {
  if (length < 0) return [null, start]
  const end = start + length + LINE_END.length
  return text.length < end ? undefined : [text.slice(start, start + length), end]
}

function readList(text: Bytes, length: number, start: number): Read {
  if (length < 0) return [null, start]
  const list: Reply[] = []
  let at = start
  while (list.length < length) {
    const read = readReply(text, at)
    if (!read) return undefined
    list.push(read[0])
    at = read[1]
  }
  return [list, at]
}

function integerOf(text: string): number | bigint {
  const integer = Number(text)
  return Number.isSafeInteger(integer) ? integer : BigInt(text)
}
