import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { LOOPBACK } from '../../test/support/launch/server-plans.js'

const HEAD_END = '\r\n\r\n'

/**
 * A connection that is kept, for one HTTP request at a time whose response has no body.
 *
 * It is less than half the work of `node:http`, and on two cores the work of the buyers is the loss of the shops.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #host: string
  #received = ''
  #waiting: PromiseWithResolvers<number> | undefined

  private constructor(socket: Socket, port: number) {
    this.#socket = socket
    this.#host = `${LOOPBACK}:${String(port)}`
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#receive(text)
    })
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error(`${this.#host} has hung up`)))
  }

  static async open(port: number): Promise<HttpConnection> {
    const socket = connect({ port, host: LOOPBACK, noDelay: true })
    await once(socket, 'connect')
    return new HttpConnection(socket, port)
  }

  /** Sends a request without a body. Returns the status. */
  async post(path: string): Promise<number> {
    this.#waiting = Promise.withResolvers()
    this.#socket.write(`POST ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nContent-Length: 0\r\n\r\n`)
    return this.#waiting.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#received += text
    if (!this.#received.endsWith(HEAD_END)) return
    const status = /^HTTP\/1\.1 (\d{3}) [^]*\r\ncontent-length: 0\r\n/i.exec(this.#received)?.[1]
    this.#received = ''
    if (status === undefined)
      this.#waiting?.reject(new Error(`Expected a response without a body from ${this.#host}`))
    else this.#waiting?.resolve(Number(status))
  }
}
