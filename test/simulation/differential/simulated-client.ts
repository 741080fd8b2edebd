import type { Bytes, Reply } from '../server/reply.js'
import type { Server } from '../server/server.js'
import type { Session } from '../server/session.js'
import { requestOf, ReplyReader } from './resp.js'

/** A connection to a simulated server. */
export class SimulatedClient {
  /** All that it has received. */
  readonly received: Reply[] = []
  readonly #server: Server
  readonly #session: Session

  constructor(server: Server) {
    const reader = new ReplyReader()
    this.#server = server
    this.#session = server.connect({
      write: (bytes) => this.received.push(...reader.read(bytes)),
      close: () => undefined,
    })
  }

  get id(): number {
    return this.#session.id
  }

  send(words: readonly Bytes[]): void {
    this.#server.receive(this.#session, requestOf(words))
  }
}
