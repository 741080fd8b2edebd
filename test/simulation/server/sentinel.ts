import type { Bytes } from './reply.js'

/** Where a server listens. */
export interface Endpoint {
  readonly host: Bytes
  readonly port: number
}

/** What a sentinel knows of the one master that it watches. */
export interface Watch {
  readonly masterName: Bytes
  master: Endpoint
  replicas: readonly Endpoint[]
  /** The number of the last failover. */
  readonly epoch: number
  /** The other sentinels. */
  readonly sentinels: readonly Endpoint[]
}

/** The channel on which a sentinel says that there is another master. */
export const SWITCHED = '+switch-master'

/** What is said there. */
export function switchMessage({ masterName }: Watch, from: Endpoint, to: Endpoint): Bytes {
  return [masterName, from.host, from.port, to.host, to.port].join(' ')
}
