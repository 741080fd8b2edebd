import type { HostAndPort } from 'ioredisson'
import { loadPeer } from '../peers/load-peer.js'
import type { NodeContender } from './contender.js'
import { firstOf } from './first-of.js'
import { nothingBut } from './nothing-but.js'
import { JOBS_AT_ONCE, type Item, type ReliableQueues } from './values.js'

/** What is used of BullMQ. */
interface BullMq {
  readonly Queue: new (
    name: string,
    options: { readonly connection: HostAndPort; readonly defaultJobOptions: { removeOnComplete: boolean } },
  ) => {
    add(name: string, data: Item): Promise<unknown>
    addBulk(jobs: readonly { readonly name: string; readonly data: Item }[]): Promise<unknown>
    getWaitingCount(): Promise<number>
    close(): Promise<void>
  }
  readonly Worker: new (
    name: string,
    work: (job: { readonly data: Item }) => Promise<void>,
    options: { readonly connection: HostAndPort; readonly concurrency: number },
  ) => { waitUntilReady(): Promise<unknown>; close(): Promise<void> }
}

/** What is used of bee-queue. */
type BeeQueue = new (
  name: string,
  settings: {
    readonly redis: HostAndPort
    readonly isWorker: boolean
    readonly removeOnSuccess: boolean
    readonly sendEvents: boolean
    readonly getEvents: boolean
  },
) => {
  createJob(data: Item): { save(): Promise<unknown> }
  saveAll(jobs: readonly unknown[]): Promise<ReadonlyMap<unknown, Error>>
  checkHealth(): Promise<{ readonly waiting: number }>
  process(concurrency: number, work: (job: { readonly data: Item }) => Promise<void>): void
  ready(): Promise<unknown>
  close(): Promise<unknown>
}

const WORKLOADS = ['reliable-queue']

export const bullMq: NodeContender = {
  name: 'BullMQ',
  packageName: 'bullmq',
  settings: `removeOnComplete; a concurrency of ${String(JOBS_AT_ONCE)}`,
  cannot: nothingBut('reliable-queue', 'BullMQ is a queue of jobs'),
  workloads: WORKLOADS,

  async open(servers) {
    const { Queue, Worker } = await loadPeer<BullMq>('bullmq')
    const connection = firstOf(servers)
    const queueOf = cached(
      (name) =>
        new Queue(nameFor('bull', name), { connection, defaultJobOptions: { removeOnComplete: true } }),
    )
    const reliableQueue: ReliableQueues = {
      publish: (name, item) => queueOf(name).add('job', item),
      publishAll: (name, items) => queueOf(name).addBulk(items.map((data) => ({ name: 'job', data }))),
      size: (name) => queueOf(name).getWaitingCount(),
      listen: async (name, listener) => {
        const worker = new Worker(nameFor('bull', name), workBy(listener), {
          connection,
          concurrency: JOBS_AT_ONCE,
        })
        await worker.waitUntilReady()
        return () => worker.close()
      },
    }
    return { takes: {}, values: { reliableQueue }, close: () => queueOf.closeAll() }
  },
}

export const beeQueue: NodeContender = {
  name: 'bee-queue',
  packageName: 'bee-queue',
  settings: `removeOnSuccess, without events; a concurrency of ${String(JOBS_AT_ONCE)}`,
  cannot: nothingBut('reliable-queue', 'bee-queue is a queue of jobs'),
  workloads: WORKLOADS,

  async open(servers) {
    const { default: Queue } = await loadPeer<{ default: BeeQueue }>('bee-queue')
    const make = (name: string, isWorker: boolean) =>
      new Queue(nameFor('bee', name), {
        redis: firstOf(servers),
        isWorker,
        removeOnSuccess: true,
        sendEvents: false,
        getEvents: false,
      })
    const queueOf = cached((name) => make(name, false))
    const reliableQueue: ReliableQueues = {
      publish: (name, item) => queueOf(name).createJob(item).save(),
      publishAll: (name, items) => {
        const queue = queueOf(name)
        return queue.saveAll(items.map((item) => queue.createJob(item)))
      },
      size: async (name) => (await queueOf(name).checkHealth()).waiting,
      listen: async (name, listener) => {
        const worker = make(name, true)
        worker.process(JOBS_AT_ONCE, workBy(listener))
        await worker.ready()
        return () => worker.close()
      },
    }
    return { takes: {}, values: { reliableQueue }, close: () => queueOf.closeAll() }
  },
}

function workBy(listener: (item: Item) => void): (job: { readonly data: Item }) => Promise<void> {
  return ({ data }) => {
    listener(data)
    return Promise.resolve()
  }
}

/** Those that share a process share a server. BullMQ has no colons in names. */
function nameFor(contender: string, name: string): string {
  return `${contender}-${name.replaceAll(':', '-')}`
}

/** Makes one of each name. */
function cached<T extends { close(): Promise<unknown> }>(make: (name: string) => T) {
  const made = new Map<string, T>()
  const one = (name: string): T => {
    const found = made.get(name) ?? make(name)
    made.set(name, found)
    return found
  }
  return Object.assign(one, { closeAll: () => Promise.all([...made.values()].map((each) => each.close())) })
}
