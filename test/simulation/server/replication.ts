import type { Entry } from './database.js'
import type { Bytes } from './reply.js'

/** A replica, as its master knows it. */
export interface KnownReplica {
  readonly host: Bytes
  readonly port: number
  /** How far it has confirmed what the master has written. */
  offset: number
}

/** What a server is that replicates another one. */
export interface ReplicaState {
  readonly masterHost: Bytes
  readonly masterPort: number
  /** Whether it gets all that the master writes. Until it has synchronized for the first time it has nothing, or what it had before. */
  isUp: boolean
}

/** What a command has changed: what keys hold since. */
export interface Change {
  /** How far the master is then. */
  readonly offset: number
  readonly keys: readonly ChangedKey[]
}

export interface ChangedKey {
  readonly database: number
  readonly key: Bytes
  readonly entry: Entry | undefined
}

/** A connection that waits for replicas. */
export interface Waiting {
  /** How many replicas have to confirm. */
  readonly replicas: number
  /** What they have to confirm. */
  readonly offset: number
  readonly done: (confirmed: number) => void
}

/** The part of `INFO` about replication. */
export function replicationInfo(
  replica: ReplicaState | undefined,
  replicas: readonly KnownReplica[],
  offset: number,
): readonly Bytes[] {
  const own =
    replica === undefined
      ? ['role:master']
      : [
          'role:slave',
          `master_host:${replica.masterHost}`,
          `master_port:${String(replica.masterPort)}`,
          `master_link_status:${replica.isUp ? 'up' : 'down'}`,
          `master_sync_in_progress:${replica.isUp ? '0' : '1'}`,
          'slave_read_only:1',
        ]
  const known = replicas.map(
    ({ host, port, offset: confirmed }, n) =>
      `slave${String(n)}:ip=${host},port=${String(port)},state=online,offset=${String(confirmed)},lag=0`,
  )
  return [
    ...own,
    `connected_slaves:${String(replicas.length)}`,
    ...known,
    `master_repl_offset:${String(offset)}`,
  ]
}
