import { Redis } from 'ioredis'
import type { HostAndPort } from '../../../src/api/redisson-options.js'
import { addressOf } from './topology.js'

/** How long one command may take, so that a test that asks a frozen server ends. */
const ANSWER_WITHIN_MS = 5_000

/**
 * Asks one server. Connects when first asked and again after the connection broke, but never by itself, and keeps no
 * process alive.
 */
export class NodeConnection {
  readonly #address: HostAndPort
  #client: Redis | undefined
  #trouble: unknown

  constructor(address: HostAndPort) {
    this.#address = address
  }

  async command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    const client = (this.#client ??= this.#connect())
    try {
      return await client.call(name, ...args)
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError') throw error
      const request = [name, ...args].join(' ')
      throw new Error(`${addressOf(this.#address)} did not answer ${request}: ${this.#reason(error)}`, {
        cause: error,
      })
    }
  }

  close(): void {
    this.#client?.disconnect()
    this.#client = undefined
  }

  #connect(): Redis {
    const { host, port } = this.#address
    const client = new Redis({
      host,
      port,
      protocol: 2,
      connectionName: 'test-support',
      enableReadyCheck: false,
      disableClientInfo: true,
      retryStrategy: () => null,
      commandTimeout: ANSWER_WITHIN_MS,
      connectTimeout: ANSWER_WITHIN_MS,
      disconnectTimeout: 100,
    })
    this.#trouble = undefined
    client.on('connect', () => {
      client.stream.unref()
    })
    client.on('error', (error: unknown) => {
      this.#trouble = error
    })
    client.on('close', () => {
      if (this.#client === client) this.#client = undefined
    })
    return client
  }

  #reason(error: unknown): string {
    return String(this.#trouble ?? error)
  }
}
