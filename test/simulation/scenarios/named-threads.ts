import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import { forKinds, type Kind, type LockOf } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** A release is repeated for longer than its reply is remembered. */
const QUICK = { timeout: 500, retryAttempts: 1, retryDelay: 50, reconnectionDelay: 50 }

const KINDS: readonly Kind[] = [
  'lock',
  'fair lock',
  'fenced lock',
  'read lock',
  'write lock',
  'spin lock',
  'multi-lock',
  'lock on values',
]

/** How the repetition of an `unlock()` comes to be late. */
interface Way {
  readonly unlock: string
  /** The lease of the first hold; none where it is renewed. */
  readonly leaseMs?: number
  /** When it is given back. By then what was remembered of earlier requests is forgotten. */
  readonly heldMs: number
  readonly lost: 'request' | 'reply'
  /** Which process locks again. */
  readonly next: 'mine' | 'other'
}

const WAYS: Record<string, Way> = {
  'reply-lost': { unlock: 'whose reply was lost', heldMs: 1_300, lost: 'reply', next: 'mine' },
  'never-ran': {
    unlock: 'that never ran before its lease had ended',
    leaseMs: 1_500,
    heldMs: 1_300,
    lost: 'request',
    next: 'mine',
  },
  'found-none': {
    unlock: 'that came after the end of its lease',
    leaseMs: 400,
    heldMs: 900,
    lost: 'reply',
    next: 'mine',
  },
  'other-process': {
    unlock: 'before another process entered',
    heldMs: 1_300,
    lost: 'reply',
    next: 'other',
  },
}

/** For longer than the reply of the release is remembered. */
const UNREACHABLE_MS = 2_200

export const namedThreads: readonly Scenario[] = [
  ...Object.entries(WAYS).flatMap(([way, facts]) =>
    forKinds(KINDS, (kind, lockOf) => ({
      name: `late-unlock-${way}`,
      promise: `An unlock() ${facts.unlock} does not end the next hold of a named thread: ${kind}`,
      run: (stage) => unlockLate(stage, lockOf, facts),
    })),
  ),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'lock-after-unlock-is-repeated',
    promise: `A named thread whose unlock() has failed gets the ${kind} again when that was repeated, and keeps it`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, retryAttempts: 0 } })
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      await unlockInVain(mine, lockOf)
      const requests: string[] = []
      const noted = (request: string) => void requests.push(request)
      const repeated = mine.atScript({ with: 'lock' }, 'deliver').then(() => noted('repeated'))
      await mine.reconnected()
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      noted('locked')
      await repeated
      assert.deepEqual(requests, ['repeated', 'locked'])
      await stage.sleep(1_000)
      assert.ok(stage.has('lock'), 'the thread has lost its hold')
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'unlock-repeated-after-data-loss',
    promise: `An unlock() of a named thread that is repeated after the ${kind} was gone does not end the next hold`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, retryAttempts: 0 }, failFast: true })
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      await unlockInVain(mine, lockOf, 2_200) // the repetitions pause for a second by then
      stage.redis.command('FLUSHALL')
      await mine.reconnected()
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      await stage.sleep(3_000)
      assert.ok(stage.has('lock'), 'the thread has lost its hold')
    },
  })),
  ...forKinds(['lock', 'fair lock', 'read lock', 'lock on values'], (kind, lockOf) => ({
    name: 'acquisition-undone-after-data-loss',
    promise: `A request of a named thread for a ${kind} that is undone after the data was gone does not end the next hold`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, retryAttempts: 0 }, failFast: true })
      const lock = () => mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      const lost = mine.loseReply({ with: 'lock' }, 2_200)
      const locked = outcomeName(lock())
      await lost
      assert.equal(await locked, 'ConnectionLostError')
      stage.redis.command('FLUSHALL')
      await mine.reconnected()
      await lock()
      await stage.sleep(3_000)
      assert.ok(stage.has('lock'), 'the thread has lost its hold')
    },
  })),
  ...forKinds(['lock', 'fair lock', 'write lock', 'multi-lock', 'lock on values'], (kind, lockOf) => ({
    name: 'late-copy-of-unlock',
    promise: `A copy of an unlock() of a ${kind} that the network holds back ends no later hold`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, retryAttempts: 0 } })
      const inThread = (call: (lock: Library.AnyLock) => Promise<unknown>) =>
        mine.run((client) => client.runAsThread(() => call(lockOf(client)), { threadId: 7 }))
      await inThread((lock) => lock.lock())
      const held = mine.atScript({ with: 'lock' }, { delayMs: 4_000 })
      const unlocked = outcomeName(inThread((lock) => lock.unlock()))
      await held
      assert.match(await unlocked, /^(?:ReplyTimeout|MultiUnlock)Error$/)
      await stage.sleep(1_500) // it was repeated, and what was kept of it would be removed
      await inThread((lock) => lock.lock())
      await stage.sleep(5_000)
      assert.ok(stage.has('lock'), 'the thread has lost its hold')
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'try-lock-while-unlock-is-open',
    promise: `tryLock() of a thread rejects within the timeout where its unlock() of a ${kind} has no reply`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: QUICK })
      const inThread = (call: (lock: Library.AnyLock) => Promise<unknown>) =>
        mine.run((client) => client.runAsThread(() => call(lockOf(client)), { threadId: 7 }))
      await inThread((lock) => lock.lock())
      stage.network.partition({ host: 'mine' }, 'lose')
      const unlocked = outcomeName(inThread((lock) => lock.unlock()))
      for (let times = 0; times < 8; times += 1) {
        const askedAt = stage.now
        const outcome = await outcomeName(inThread((lock) => lock.tryLock()))
        assert.match(outcome, /^(?:ReplyTimeout|ConnectionLost)Error$/)
        const tookMs = stage.now - askedAt
        assert.ok(tookMs <= 510, `it has taken ${String(tookMs)} ms`)
      }
      assert.notEqual(await unlocked, 'ok')
    },
  })),
  {
    name: 'unlock-not-sent-in-time',
    promise:
      'An unlock() of a named thread that could not be sent before the lease ended says that it has ended',
    run: async (stage) => {
      const server = { ...QUICK, retryAttempts: 10, retryDelay: 200 }
      const mine = await stage.process('mine', { server, lockWatchdogTimeout: 900 })
      await mine.run((client) => client.getLock('lock').lock({ threadId: 7 }))
      stage.network.partition({ host: 'mine' }, 'refuse')
      await stage.sleep(100) // the connection is gone, so that nothing is sent
      const error = await mine
        .run((client) => client.getLock('lock').unlock({ threadId: 7 }))
        .catch((reason: unknown) => reason)
      assert.ok(error instanceof stage.library.LockNotHeldError, String(error))
      assert.ok(error.cause instanceof stage.library.LockLostError, String(error.cause))
      assert.equal(error.cause.reason, 'expired')
    },
  },
]

/** Has an unlock() fail whose request is lost. */
async function unlockInVain(mine: Process, lockOf: LockOf, unreachableMs = 500): Promise<void> {
  const lost = mine.loseRequest({ with: 'lock' }, unreachableMs)
  const unlocked = outcomeName(mine.run((client) => lockOf(client).unlock({ threadId: 7 })))
  await lost
  assert.notEqual(await unlocked, 'ok')
}

async function unlockLate(
  stage: Stage,
  lockOf: LockOf,
  { leaseMs = 0, heldMs, lost, next }: Way,
): Promise<void> {
  const [mine, other] = await Promise.all([stage.process('mine', { server: QUICK }), stage.process('other')])
  await mine.run((client) => lockOf(client).lock({ threadId: 7, leaseMs }))
  await stage.sleep(heldMs)
  const which = { with: 'lock' }
  const isLost =
    lost === 'reply' ? mine.loseReply(which, UNREACHABLE_MS) : mine.loseRequest(which, UNREACHABLE_MS)
  void outcomeName(mine.run((client) => lockOf(client).unlock({ threadId: 7 })))
  await isLost
  const again = { threadId: `${mine.client.id}:7` }
  if (next === 'other') await other.run((client) => lockOf(client).lock(again))
  await mine.reconnected()
  if (next === 'mine') await mine.run((client) => lockOf(client).lock(again))
  await stage.sleep(5_000)
  assert.ok(stage.has('lock'), 'the thread has lost its hold')
}
