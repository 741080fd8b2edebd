import { createConnection, type Socket } from 'node:net'
import { connect as createTlsConnection } from 'node:tls'
import { AbstractConnector } from 'ioredis'
import type { Address, Config } from '../config/config.js'
import type { MasterFinder } from './master-finder.js'

/** Makes the class by which ioredis connects to whichever server is the master at the time. */
export function replicatedConnector(
  finder: MasterFinder,
  config: Config,
): new (options: unknown) => AbstractConnector {
  return class ReplicatedConnector extends AbstractConnector {
    constructor(options: unknown) {
      super((options as { readonly disconnectTimeout: number }).disconnectTimeout)
    }

    override check(info: { readonly role?: string }): boolean {
      return info.role === undefined || info.role === 'master'
    }

    override async connect(): Promise<Socket> {
      this.connecting = true
      const master = await finder.find()
      if (this.#abandoned) throw new Error('The connection was closed')
      if (master === undefined) throw new Error('None of the servers is a master')
      const stream = open(master, config)
      this.stream = stream
      stream.once('error', (error) => {
        this.firstError = error
      })
      return stream
    }

    /** Whether the connection was closed while the master was looked for. */
    get #abandoned(): boolean {
      return !this.connecting
    }
  }
}

function open({ host, port, tls }: Address, config: Config): Socket {
  return tls ? createTlsConnection({ ...config.tls, host, port }) : createConnection({ host, port })
}
