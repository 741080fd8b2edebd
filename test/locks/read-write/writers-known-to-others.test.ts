import { describe, expect, it } from 'vitest'
import { noLeaksAfterAll } from '../../contracts/lock-fixture.js'
import { handedOver, takeBriefly } from '../../contracts/take-briefly.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { topologies } from '../../support/topologies.js'
import { untilAborted } from '../../support/until-aborted.js'

const BRIEFLY_MS = 1_000

/** A lease that no test outlasts. */
const NEVER_MS = 600_000

describe.each(topologies)('a writer whom other places can name ($kind)', (topology) => {
  noLeaksAfterAll(topology)
  const clients = twoClients(topology)
  let names = 0

  const spot = () => {
    const name = `{${topology.kind}-${String((names += 1))}}:named`
    const mine = clients.mine.getReadWriteLock(name)
    const theirs = clients.other.getReadWriteLock(name)
    return {
      read: mine.readLock(),
      write: mine.writeLock(),
      theirRead: theirs.readLock(),
      theirWrite: theirs.writeLock(),
    }
  }

  it.concurrent('leaves a free lock when its lease ends while it reads for longer', async () => {
    const { read, write, theirWrite } = spot()
    const writing = write.withLock(
      async (hold) => {
        expect(hold.owner).toMatch(/:\d+$/) // from now on other places can name it
        await read.withLock(() => untilAborted(hold.signal), { leaseMs: NEVER_MS })
      },
      { leaseMs: BRIEFLY_MS },
    )
    await expect(writing).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    expect(await theirWrite.tryLock()).toBe(true)
    await theirWrite.unlock()
  })

  it.concurrent('leaves a free lock when its lease ends after it has read', async () => {
    const { read, write, theirWrite } = spot()
    const writing = write.withLock(
      async (hold) => {
        expect(hold.owner).toMatch(/:\d+$/)
        await read.withLock(() => undefined, { leaseMs: NEVER_MS })
        await untilAborted(hold.signal)
      },
      { leaseMs: BRIEFLY_MS },
    )
    await expect(writing).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
    expect(await theirWrite.tryLock()).toBe(true)
    await theirWrite.unlock()
  })

  it.concurrent(
    'goes on to read and lets others read, where it has a chosen id and calls unlock()',
    async () => {
      const { read, write, theirRead, theirWrite } = spot()
      const flow = async () => {
        while (!(await handedOver(write.lock(BRIEFLY_MS))));
        const writing = write.withLock(
          async (hold) => {
            await read.lock(NEVER_MS)
            await untilAborted(hold.signal)
          },
          { leaseMs: BRIEFLY_MS / 2 },
        )
        await expect(writing).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'expired' })
        expect(await theirRead.tryLock()).toBe(false)
        await expect(write.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
        expect(await theirRead.tryLock()).toBe(true)
        expect(await theirWrite.tryLock()).toBe(false)
        await theirRead.unlock()
        await read.unlock()
      }
      await clients.mine.runAsThread(flow, { threadId: 17 })
      expect(await write.isLocked()).toBe(false)
    },
  )

  it.concurrent('takes nothing from another process that has entered by its name since', async () => {
    const { read, write, theirRead, theirWrite } = spot()
    const both = clients.mine.getMultiLock(write, read)
    const hold = await takeBriefly(() => both.acquire({ leaseMs: BRIEFLY_MS }))
    const { owner } = hold
    await untilAborted(hold.signal)
    await eventually(async () => !(await theirWrite.isLocked()))
    await theirWrite.lock({ threadId: owner, leaseMs: NEVER_MS })
    await theirRead.lock({ threadId: owner, leaseMs: NEVER_MS })
    await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
    expect(await theirWrite.isHeldByThread(owner)).toBe(true)
    await theirRead.unlock({ threadId: owner })
    await theirWrite.unlock({ threadId: owner })
  })
})
