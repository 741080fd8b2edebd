import { EventEmitter } from 'node:events'
import type { Cluster, Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import type { RedissonEvents } from '../../../src/api/events.js'
import { NodeEvents } from '../../../src/connection/cluster/node-events.js'
import { Emitter } from '../../../src/util/emitter.js'
import { Listeners } from '../../../src/util/listeners.js'

class FakeNode extends EventEmitter {
  status = 'connecting'
  readonly options: { readonly host: string; readonly port: number }

  constructor(port: number) {
    super()
    this.options = { host: 'node', port }
  }

  become(status: 'ready' | 'end', error?: Error): void {
    this.status = status
    if (error !== undefined) this.emit('error', error)
    this.emit(status === 'end' ? 'close' : 'ready')
  }
}

/** The cluster that ioredis has, and what a client says of its nodes. */
class FakeCluster extends EventEmitter {
  readonly options = { scaleReads: 'master' }
  slots: string[][] = []
  readonly all: FakeNode[] = []
  readonly heard: string[] = []
  readonly #events = new Emitter<RedissonEvents>()
  readonly #reports = new NodeEvents(this as unknown as Cluster, {
    config: { readMode: 'MASTER' },
    events: this.#events,
    listeners: new Listeners(),
  })

  constructor() {
    super()
    this.#events.on('connected', ({ address }) => this.heard.push(`${address} connected`))
    this.#events.on('reconnected', ({ address }) => this.heard.push(`${address} reconnected`))
    this.#events.on('disconnected', ({ address, cause }) => this.heard.push(`${address}: ${cause.message}`))
  }

  nodes(): readonly FakeNode[] {
    return this.all
  }

  /** Makes a connection to a node. */
  open(port: number): FakeNode {
    const node = new FakeNode(port)
    this.all.push(node)
    this.#reports.watch(node as unknown as Redis, new Listeners())
    return node
  }

  /** Has the cluster say who has the slots: of each range the master and its replicas. */
  refresh(...slots: readonly (readonly number[])[]): void {
    this.slots = slots.map((ports) => ports.map((port) => `node:${String(port)}`))
    this.emit('refresh')
  }
}

const NOT_USED = 'The server is not used any more: it has left the cluster, or is a replica now'

describe('what a client says of the nodes of a cluster', () => {
  it('waits until it is known which of them are masters', () => {
    const cluster = new FakeCluster()
    cluster.open(1).become('ready')
    cluster.open(2).become('ready')
    expect(cluster.heard).toEqual([])
    cluster.refresh([1, 2])
    expect(cluster.heard).toEqual(['node:1 connected'])
  })

  it('follows a failover in which both nodes stay connected, and back', () => {
    const cluster = new FakeCluster()
    cluster.open(1).become('ready')
    cluster.open(2).become('ready')
    cluster.refresh([1, 2])
    cluster.refresh([2, 1])
    cluster.refresh([2, 1])
    cluster.refresh([1, 2])
    expect(cluster.heard.toSorted()).toEqual(
      [
        'node:1 connected',
        `node:1: ${NOT_USED}`,
        'node:1 reconnected',
        'node:2 connected',
        `node:2: ${NOT_USED}`,
      ].toSorted(),
    )
  })

  it('is silent about the connection of a replica that was a master', () => {
    const cluster = new FakeCluster()
    const first = cluster.open(1)
    first.become('ready')
    cluster.refresh([1, 2])
    cluster.refresh([2, 1])
    first.become('end')
    cluster.open(1).become('ready')
    expect(cluster.heard).toEqual(['node:1 connected', `node:1: ${NOT_USED}`])
  })

  it('has the cause of a broken connection, if there is any', () => {
    const cluster = new FakeCluster()
    cluster.refresh([1])
    cluster.open(1).become('ready')
    cluster.all[0]?.become('end', new Error('read ECONNRESET'))
    cluster.open(1).become('ready')
    cluster.all[1]?.become('end')
    expect(cluster.heard).toEqual([
      'node:1 connected',
      'node:1: read ECONNRESET',
      'node:1 reconnected',
      'node:1: The connection was closed, without an error',
    ])
  })

  it('is silent about a connection that another one has replaced already', () => {
    const cluster = new FakeCluster()
    cluster.refresh([1])
    const stale = cluster.open(1)
    stale.become('ready')
    cluster.open(1).become('ready')
    stale.become('end')
    expect(cluster.heard).toEqual(['node:1 connected'])
  })

  it('ends with a node that leaves the cluster', () => {
    const cluster = new FakeCluster()
    cluster.refresh([1], [2])
    for (const port of [1, 2]) cluster.open(port).become('ready')
    cluster.refresh([1])
    cluster.all[1]?.become('end')
    expect(cluster.heard).toEqual(['node:1 connected', 'node:2 connected', `node:2: ${NOT_USED}`])
  })
})
