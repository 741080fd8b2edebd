import { constants, setPriority } from 'node:os'
import { HttpConnection } from './http-connection.js'
import { Latencies } from './latencies.js'

/** The number of concurrent orders. */
const IN_FLIGHT = 128

/** A buyer's connections, one to every shop. */
type Buyer = readonly HttpConnection[]

/** Many orders, one after the other for each of some buyers, in turn to the one shop and to the other. */
export class Load {
  readonly latencies: Latencies
  readonly #orders: number
  readonly #buyers: readonly Buyer[]
  #sold = 0
  #next = 0

  private constructor(orders: number, buyers: readonly Buyer[]) {
    this.latencies = new Latencies(orders)
    this.#orders = orders
    this.#buyers = buyers
  }

  /** Makes all connections beforehand. */
  static async prepare(orders: number, ports: readonly number[]): Promise<Load> {
    const buyers = Array.from({ length: IN_FLIGHT }, () =>
      Promise.all(ports.map((port) => HttpConnection.open(port))),
    )
    return new Load(orders, await Promise.all(buyers))
  }

  /** How many orders had the response "sold". */
  get sold(): number {
    return this.#sold
  }

  /** How many orders had another response. */
  get refused(): number {
    return this.latencies.count - this.#sold
  }

  async run(): Promise<void> {
    const stopPolling = poll()
    try {
      await Promise.all(this.#buyers.map((buyer) => this.#buy(buyer)))
    } finally {
      stopPolling()
      for (const connection of this.#buyers.flat()) connection.close()
    }
  }

  async #buy(connections: Buyer): Promise<void> {
    while (this.#next < this.#orders) {
      const order = this.#next++
      const connection = connections[order % connections.length]
      if (connection === undefined) return
      const sentAt = performance.now()
      const status = await connection.post(`/orders/${String(order)}`)
      this.latencies.add(performance.now() - sentAt)
      if (status === 201) this.#sold += 1
    }
  }
}

/**
 * Polls for responses without ever sleeping. Ends when the function that is returned is called.
 *
 * An order under the lock is three round trips to Redis, one after the other, and on a virtual machine a processor that
 * fell asleep takes longer to wake than Redis takes to reply. The shops and Redis go first.
 */
function poll(): () => void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  let next: NodeJS.Immediate
  const again = (): void => {
    next = setImmediate(again)
  }
  again()
  return () => {
    clearImmediate(next)
  }
}
