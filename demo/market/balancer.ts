import { Agent, request, type IncomingMessage } from 'node:http'
import { LOOPBACK } from '../../test/support/launch/server-plans.js'

/** Sends orders to shops in turn, and to the others when one does not respond any more. */
export class Balancer {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #ports: number[]
  #next = 0
  #closed = false

  constructor(ports: readonly number[]) {
    this.#ports = [...ports]
  }

  /**
   * Places an order. Returns the HTTP status.
   *
   * @throws Error if no shop is left, or the balancer was closed
   */
  async order(buyer: number): Promise<number> {
    for (;;) {
      const port = this.#nextPort()
      try {
        return await this.#post(port, `/orders/${String(buyer)}`)
      } catch (error) {
        if (this.#closed) throw error
        this.#takeOut(port)
      }
    }
  }

  /** Closes the connections of all pending orders. */
  close(): void {
    this.#closed = true
    this.#agent.destroy()
  }

  #nextPort(): number {
    const port = this.#ports[this.#next++ % this.#ports.length]
    if (port === undefined) throw new Error('No shop responds any more')
    return port
  }

  #takeOut(port: number): void {
    const index = this.#ports.indexOf(port)
    if (index !== -1) this.#ports.splice(index, 1)
  }

  async #post(port: number, path: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request({ host: LOOPBACK, port, path, method: 'POST', agent: this.#agent }, resolve)
      .on('error', reject)
      .end()
    const response = await promise
    response.resume()
    return response.statusCode ?? 0
  }
}
