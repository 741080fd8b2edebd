import { createConnection, type Socket } from 'node:net'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import type { Bytes, Reply } from '../server/reply.js'
import { ReplyReader, requestOf } from './resp.js'

/** A connection to a real server that changes no byte. */
export class RawClient {
  /** What has arrived and was not returned: messages, and replies to what {@link write} has sent. */
  readonly received: Reply[] = []
  readonly #socket: Socket
  readonly #reader = new ReplyReader()
  #notify: () => void = () => undefined
  #failure: Error | undefined

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (piece: string) => {
      this.received.push(...this.#reader.read(piece))
      this.#notify()
    })
    socket.on('error', (error) => {
      this.#fail(error)
    })
    socket.on('close', () => {
      this.#fail(new Error('The connection has ended'))
    })
  }

  static async connect({ host, port }: HostAndPort): Promise<RawClient> {
    const socket = createConnection({ host, port })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject)
    })
    return new RawClient(socket)
  }

  /** Sends a command, and returns its reply. One command is sent after the other. */
  async command(...words: readonly Bytes[]): Promise<Reply> {
    const [reply = null] = await this.send([words])
    return reply
  }

  /** Sends commands together, and returns their replies. */
  async send(commands: readonly (readonly Bytes[])[]): Promise<readonly Reply[]> {
    for (const words of commands) this.write(words)
    await this.untilReceived(commands.length)
    return this.received.splice(0, commands.length)
  }

  /** Sends a command, whose reply will be in {@link received}. */
  write(words: readonly Bytes[]): void {
    this.#socket.write(requestOf(words), 'latin1')
  }

  /** Resolves when {@link received} has as many replies and messages. */
  async untilReceived(count: number): Promise<void> {
    while (this.received.length < count) {
      if (this.#failure) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#notify = resolve
      })
    }
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

  #fail(error: Error): void {
    this.#failure ??= error
    this.#notify()
  }
}
