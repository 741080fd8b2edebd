import { hostname } from 'node:os'

/** What `CLIENT SETNAME` refuses. */
const REFUSED = /[^!-~]/g

/** The name of a client's connections in `CLIENT LIST`, by which the owner of a lock leads to its process. */
export function connectionName(clientId: string): string {
  return `ioredisson:${clientId}:${hostname()}:${String(process.pid)}`.replace(REFUSED, '-')
}
