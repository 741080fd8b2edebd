import { describe, expect, it } from 'vitest'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import type { CommandExecutor } from '../../../src/command/operation/command-executor.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Command, Connection, Reply } from '../../../src/connection/connection.js'
import { ServerNotReadyError } from '../../../src/errors/connection-errors.js'
import { lockRenewal } from '../../../src/locks/reentrant/lock.renewal.js'
import { readRenewal, waitingRenewal } from '../../../src/locks/read-write/read-write-lock.renewal.js'
import { Lease, type RenewalKind } from '../../../src/renewal/lease.js'
import { markRenewal } from '../../../src/services/once/once.renewal.js'
import { permitRenewal } from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.renewal.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const PERIOD_MS = 10_000

const kinds: readonly (readonly [name: string, make: (executor: CommandExecutor) => RenewalKind])[] = [
  ['a lock', lockRenewal],
  ['a read lock', readRenewal],
  ['a permit', permitRenewal],
  ['a waiting writer', waitingRenewal],
  ['a mark', markRenewal],
]

/** A cluster whose nodes send a request back and forth until ioredis gives up, and that is itself again afterwards. */
function confusedOnce(reply: Reply): { readonly executor: CommandExecutor; readonly sent: Command[] } {
  const sent: Command[] = []
  const connection = {
    slotOf: () => 0,
    opening: () => undefined,
    publishCommand: 'publish',
    send: (command: Command) => {
      sent.push(command)
      if (sent.length > 1) return Promise.resolve(reply)
      const words = 'Too many Cluster redirections. Last error: ReplyError: MOVED 0 127.0.0.1:1'
      return Promise.reject(new ServerNotReadyError(words, { cause: new Error(words) }))
    },
  } as unknown as Connection
  const config = resolveConfig({ singleServerConfig: { address: 'redis://127.0.0.1', retryDelay: 1 } })
  return { executor: new ConnectionExecutor(connection, config), sent }
}

const lease = (kind: RenewalKind) =>
  new Lease({ kind, name: 'a', owner: '00'.repeat(16), slot: 0 }, { onLeaseLost: () => undefined })

describe.each(kinds)('the renewal of %s at a cluster that redirects too often', (name, make) => {
  it('is repeated where it is the only one', async () => {
    const { executor, sent } = confusedOnce(name === 'a read lock' ? 1 : [1])
    const kind = make(executor)
    expect(await kind.renew([lease(kind)], 30_000, Deadline.after(PERIOD_MS))).toEqual([true])
    expect(sent.length).toBeGreaterThan(1)
  })

  it('is left to its caller where it is one of several, who can be renewed one by one', async () => {
    const { executor, sent } = confusedOnce([1, 1])
    const kind = make(executor)
    const renewing = kind.renew([lease(kind), lease(kind)], 30_000, Deadline.after(PERIOD_MS))
    await expect(renewing).rejects.toThrow(ServerNotReadyError)
    expect(sent).toHaveLength(1)
  })
})

/** In an open slot Redis runs no script with a key that is at the other node, or with several that are not all at one. */
describe('the renewal of a read lock whose slot is open', () => {
  it('names one key in each request: the hash, then what proves each hold', async () => {
    const { executor, sent } = confusedOnce(2)
    const kind = readRenewal(executor)
    const reader = lease(kind)
    await kind.renew([reader], 30_000, Deadline.after(PERIOD_MS))
    const keys = sent.slice(1).map(({ args: [, count, ...rest] }) => rest.slice(0, Number(count)))
    const proof = (number: number) => [`{a}:${reader.owner}:rwlock_timeout:${String(number)}`]
    expect(keys).toEqual([['a'], proof(1), proof(2)])
  })
})
