import cluster from 'node:cluster'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { HOOKS, READS_TYPESCRIPT } from '../../support/child.js'
import { leftToDeep } from '../../support/left-to-deep.js'
import { LimitedResource } from '../../support/limited-resource.js'
import { noLeaks } from '../../support/no-leaks.js'
import { WATCHDOG_MS, type LockFixture } from '../lock-fixture.js'

/** A UUID of version 4, in lower case as Java writes it. */
const CLIENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const tellsItsId = new URL('../../locks/fixtures/tells-client-id.ts', import.meta.url)

export function acrossProcesses(bench: LockFixture): void {
  // The id is the client's, whichever lock and servers it uses.
  const isTestedElsewhere = bench.kindName !== 'plain' || bench.topology.kind !== 'single'
  describe('a client', leftToDeep(isTestedElsewhere), () => {
    noLeaks(bench.topology)

    it('has an id of its own, also in another process, worker thread or cluster process', async (context) => {
      context.skip(!READS_TYPESCRIPT, 'a worker runs on the Node of its parent, which reads no TypeScript')
      const options = JSON.stringify(bench.topology.options())
      const ids = await Promise.all([idInProcess(bench), idInWorker(options), idInCluster(options)])
      const all = [bench.mine.id, bench.other.id, ...ids]
      for (const id of all) expect(id).toMatch(CLIENT_ID)
      expect(new Set(all).size).toBe(all.length)
    })
  })

  describe('a hold and another process', () => {
    noLeaks(bench.topology)

    it('that is given the owner: it gives back what was taken here', async () => {
      await using user = await bench.startUser()
      const hold = await bench.lock.acquire({ leaseMs: 60_000 })
      expect(await user.call(bench.name, 'isHeldByThread', hold.owner)).toMatchObject({ answer: true })
      expect(await user.call(bench.name, 'unlock', { threadId: hold.owner })).not.toHaveProperty('error')
      expect(await bench.lock.isLocked()).toBe(false)
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    })

    it('that is given a wrong owner: it is refused, and nothing changes', async () => {
      await using user = await bench.startUser()
      const hold = await bench.lock.acquire()
      const wrong = [`${bench.mine.id}:1`, `${user.clientId}:${hold.threadId}`, hold.threadId]
      for (const threadId of wrong) {
        const owner = threadId === hold.threadId ? `${user.clientId}:${threadId}` : threadId
        expect(await user.call(bench.name, 'unlock', { threadId })).toMatchObject({
          error: { name: 'LockNotHeldError', code: 'NOT_HELD', owner },
        })
      }
      expect(await user.call(bench.name, 'unlock')).toMatchObject({ error: { code: 'NOT_HELD' } })
      expect([hold.isHeld, await bench.lock.isHeldByThread(hold.owner)]).toEqual([true, true])
      await hold.unlock()
    })

    it('that shares a thread: what it enters again, it leaves again', async () => {
      await using user = await bench.startUser()
      const threadId = `${bench.mine.id}:7`
      await bench.lock.lock({ threadId })
      expect(await user.call(bench.name, 'tryLock', { threadId })).toMatchObject({ answer: true })
      await bench.lock.unlock({ threadId })
      expect(await bench.lock.isHeldByThread(threadId)).toBe(true)
      expect(await user.call(bench.name, 'unlock', { threadId })).not.toHaveProperty('error')
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('that takes it: what was taken there is given back here', async () => {
      await using user = await bench.startUser()
      const threadId = `${user.clientId}:7`
      expect(await user.call(bench.name, 'tryLock', { threadId: 7 })).toMatchObject({ answer: true })
      expect(await bench.lock.tryLock()).toBe(false)
      await expect(bench.lock.unlock({ threadId: 7 })).rejects.toMatchObject({ holder: { owner: threadId } })
      await bench.lock.unlock({ threadId })
      expect(await bench.lock.isLocked()).toBe(false)
    })

    it('exclude each other', async () => {
      await using user = await bench.startUser()
      const resource = new LimitedResource()
      const there = async (task: number) => {
        const threadId = task + 1
        await user.call(bench.name, 'lock', { threadId })
        await resource.use(() => user.call(bench.name, 'isHeldByThread', threadId))
        await user.call(bench.name, 'unlock', { threadId })
      }
      const here = () => bench.lock.withLock(() => resource.use(() => bench.theirs.isLocked()))
      const elsewhere = (async () => {
        for (let task = 0; task < 10; task += 1) await there(task)
      })()
      await Promise.all([elsewhere, ...Array.from({ length: 30 }, here)])
      expect(resource.entries).toBe(40)
    })

    it('that dies: the lock is free when the watchdog’s time is over', async () => {
      const user = await bench.startUser(WATCHDOG_MS)
      expect(await user.call(bench.name, 'lock')).not.toHaveProperty('error')
      await user[Symbol.asyncDispose]()
      await (await bench.lock.acquire()).unlock()
    })
  })
}

async function idInProcess(bench: LockFixture): Promise<string> {
  await using user = await bench.startUser()
  return user.clientId
}

async function idInWorker(options: string): Promise<string> {
  const worker = new Worker(tellsItsId, { argv: [options], execArgv: ['--import', HOOKS] })
  const exited = once(worker, 'exit') // from the start: a busy process hears the message and the exit in one go
  const [id] = (await once(worker, 'message')) as [string]
  await exited
  return id
}

async function idInCluster(options: string): Promise<string> {
  cluster.setupPrimary({
    exec: fileURLToPath(tellsItsId),
    args: [options],
    execArgv: ['--import', HOOKS],
  })
  const worker = cluster.fork()
  const exited = once(worker, 'exit')
  const [id] = (await once(worker, 'message')) as [string]
  worker.disconnect()
  await exited
  return id
}
