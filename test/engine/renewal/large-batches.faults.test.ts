import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Connection } from '../../../src/connection/connection.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import {
  lockHeartbeats,
  lockQueue,
  lockTimeouts,
  permitTimeouts,
  waitingWriters,
} from '../../../src/core/context/names.js'
import { waiterRenewal } from '../../../src/locks/fair/fair-lock.renewal.js'
import { lockRenewal } from '../../../src/locks/reentrant/lock.renewal.js'
import { readRenewal, waitingRenewal } from '../../../src/locks/read-write/read-write-lock.renewal.js'
import { Lease, type RenewalKind } from '../../../src/renewal/lease.js'
import { markRenewal } from '../../../src/services/once/once.renewal.js'
import { permitRenewal } from '../../../src/synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.renewal.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { Emitter } from '../../../src/util/emitter.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const LEASE_MS = 30_000

/** Twice as many as a script is ever given. */
const MANY = 10_000

const command = single.nodes[0].command.bind(single.nodes[0])

const soon = () => Date.now() + 10_000

/** Sixteen bytes, as permits have them. */
const permitId = (owner: string) => owner.padEnd(16, '.').slice(0, 16)

interface Family {
  readonly what: string
  readonly kind: (executor: ConnectionExecutor) => RenewalKind
  /** What the lease is called, for a lock of that name. */
  readonly nameOf?: (lock: string) => string
  /** What the lease calls its owner. */
  readonly ownerOf?: (owner: string) => string
  /** Has the owner hold the lock, or wait for it. */
  readonly hold: (lock: string, owner: string) => Promise<unknown>
  /** How long what the owner holds still lasts, in milliseconds. */
  readonly leftMs: (lock: string, owner: string) => Promise<number>
  readonly clear: (lock: string, owner: string) => Promise<unknown>
}

const scoreLeft = async (key: string, member: string) =>
  Number(await command('ZSCORE', key, member)) - Date.now()

const config = resolveConfig(single.options({}))

const families: readonly Family[] = [
  {
    what: 'locks',
    kind: lockRenewal,
    hold: async (lock, owner) => {
      await command('HSET', lock, owner, 1)
      await command('PEXPIRE', lock, 5000)
    },
    leftMs: async (lock) => Number(await command('PTTL', lock)),
    clear: (lock) => command('DEL', lock),
  },
  {
    what: 'readers',
    kind: readRenewal,
    hold: async (lock, owner) => {
      await command('HSET', lock, 'mode', 'read', owner, 1)
      await command('PEXPIRE', lock, 5000)
      await command('SET', `{${lock}}:${owner}:rwlock_timeout:1`, 1, 'PX', 5000)
    },
    leftMs: async (lock, owner) => Number(await command('PTTL', `{${lock}}:${owner}:rwlock_timeout:1`)),
    clear: (lock, owner) => command('DEL', lock, `{${lock}}:${owner}:rwlock_timeout:1`),
  },
  {
    what: 'writers who wait',
    kind: waitingRenewal,
    nameOf: waitingWriters,
    hold: (lock, owner) => command('ZADD', waitingWriters(lock), soon(), owner),
    leftMs: (lock, owner) => scoreLeft(waitingWriters(lock), owner),
    clear: (lock) => command('DEL', waitingWriters(lock)),
  },
  {
    what: 'those who wait in queues',
    kind: (executor) => waiterRenewal(executor, config),
    hold: async (lock, owner) => {
      await command('HSET', lock, 'another:1', 1)
      await command('RPUSH', lockQueue(lock), owner)
      await command('ZADD', lockTimeouts(lock), soon(), owner)
      await command('ZADD', lockHeartbeats(lock), soon(), owner)
    },
    leftMs: (lock, owner) => scoreLeft(lockHeartbeats(lock), owner),
    clear: (lock) => command('DEL', lock, lockQueue(lock), lockTimeouts(lock), lockHeartbeats(lock)),
  },
  {
    what: 'permits',
    kind: permitRenewal,
    ownerOf: (owner) => Buffer.from(permitId(owner)).toString('hex'),
    hold: (lock, owner) => command('ZADD', permitTimeouts(lock), soon(), permitId(owner)),
    leftMs: (lock, owner) => scoreLeft(permitTimeouts(lock), permitId(owner)),
    clear: (lock) => command('DEL', permitTimeouts(lock)),
  },
  {
    what: 'marks',
    kind: markRenewal,
    hold: (mark, token) => command('SET', mark, token, 'PX', 5000),
    leftMs: async (mark) => Number(await command('PTTL', mark)),
    clear: (mark) => command('DEL', mark),
  },
]

describe('a batch of ten thousand leases', () => {
  let connection: Connection
  let executor: ConnectionExecutor

  noLeaks(single)

  beforeAll(async () => {
    connection = await createConnection(config, new Emitter())
    executor = new ConnectionExecutor(connection, config)
  })

  afterAll(async () => {
    await executor.close(Deadline.never)
    await connection.close()
  })

  it.each(families.map((family) => [family.what, family] as const))(
    'renews %s that are held, the first as well as the last, and tells them from those that are not',
    async (what, { kind: kindOf, nameOf = same, ownerOf = same, hold, leftMs, clear }) => {
      const kind = kindOf(executor)
      const lockOf = (index: number) => `${what}-${String(index)}`
      const held = [0, 1, MANY - 2, MANY - 1]
      for (const index of held) await hold(lockOf(index), `owner:${String(index)}`)
      const leases = Array.from({ length: MANY }, (_, index) => {
        const facts = {
          kind,
          name: nameOf(lockOf(index)),
          owner: ownerOf(`owner:${String(index)}`),
          slot: 0,
        }
        return new Lease(facts, noListener)
      })
      const renewed = await kind.renew(leases, LEASE_MS, Deadline.never)
      expect(renewed).toHaveLength(MANY)
      expect(renewed.flatMap((is, index) => (is ? [index] : []))).toEqual(held)
      for (const index of held) {
        expect(await leftMs(lockOf(index), `owner:${String(index)}`)).toBeGreaterThan(20_000)
        await clear(lockOf(index), `owner:${String(index)}`)
      }
    },
  )
})

const noListener = { onLeaseLost: () => undefined }

function same(text: string): string {
  return text
}
