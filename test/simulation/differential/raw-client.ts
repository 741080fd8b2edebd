import { createConnection, type Socket } from 'node:net'
import { Refusal, Status, type Bytes, type Reply } from '../server/reply.js'

/** A connection to a real server that changes no byte: strings hold one byte in each character. */
export class RawClient {
  readonly #socket: Socket
  readonly #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = []
  #received = ''

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (piece) => {
      this.#received += piece.toString('latin1')
      this.#settle()
    })
    const fail = (): void => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('The connection has ended'))
    }
    socket.on('error', fail)
    socket.on('close', fail)
  }

  static async connect({ host, port }: { host: string; port: number }): Promise<RawClient> {
    const socket = createConnection({ host, port })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new RawClient(socket)
  }

  /** Sends commands together, and returns their replies. */
  async send(commands: readonly (readonly Bytes[])[]): Promise<readonly Reply[]> {
    const replies = commands.map(
      () =>
        new Promise<Reply>((resolve, reject) => {
          this.#waiting.push({ resolve, reject })
        }),
    )
    this.#socket.write(Buffer.from(commands.map(requestOf).join(''), 'latin1'))
    return await Promise.all(replies)
  }

  async close(): Promise<void> {
    if (this.#socket.destroyed) return
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => {
        resolve()
      })
      this.#socket.end()
    })
  }

  #settle(): void {
    for (;;) {
      const found = replyAt(this.#received, 0)
      if (found === undefined) return
      this.#received = this.#received.slice(found.end)
      this.#waiting.shift()?.resolve(found.reply)
    }
  }
}

/** Writes a command as clients do. */
export function requestOf(words: readonly Bytes[]): Bytes {
  return `*${String(words.length)}\r\n${words.map((word) => `$${String(word.length)}\r\n${word}\r\n`).join('')}`
}

interface Found {
  readonly reply: Reply
  readonly end: number
}

/** Reads the reply that begins at a place, if it is there as a whole. */
function replyAt(text: Bytes, start: number): Found | undefined {
  const lineEnd = text.indexOf('\r\n', start)
  if (lineEnd < 0) return undefined
  const line = text.slice(start + 1, lineEnd)
  const end = lineEnd + 2
  switch (text[start]) {
    case '+':
      return { reply: new Status(line), end }
    case '-':
      return { reply: new Refusal(line), end }
    case ':': {
      const value = BigInt(line)
      const number = Number(value)
      return { reply: Number.isSafeInteger(number) ? number : value, end }
    }
    case '$': {
      const length = Number(line)
      if (length < 0) return { reply: null, end }
      if (text.length < end + length + 2) return undefined
      return { reply: text.slice(end, end + length), end: end + length + 2 }
    }
    default:
      return listAt(text, end, Number(line))
  }
}

function listAt(text: Bytes, start: number, length: number): Found | undefined {
  if (length < 0) return { reply: null, end: start }
  const replies: Reply[] = []
  let end = start
  for (let n = 0; n < length; n += 1) {
    const found = replyAt(text, end)
    if (found === undefined) return undefined
    replies.push(found.reply)
    end = found.end
  }
  return { reply: replies, end }
}
