import assert from 'node:assert/strict'
import { forKinds, type Kind, type LockOf } from './kinds.js'
import { outcomeName } from './outcome-name.js'
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
    name: 'lock-before-unlock-is-confirmed',
    promise: `A named thread whose unlock() has failed gets the ${kind} again at once, and keeps it when the unlock() is repeated`,
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, retryAttempts: 0 } })
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      const lost = mine.loseRequest({ with: 'lock' }, 500)
      const unlocked = outcomeName(mine.run((client) => lockOf(client).unlock({ threadId: 7 })))
      await lost
      assert.notEqual(await unlocked, 'ok')
      await mine.reconnected()
      const requests: string[] = []
      const noted = (request: string) => void requests.push(request)
      const repeated = mine.atScript({ with: 'lock', nth: 2 }, 'deliver').then(() => noted('repeated'))
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      noted('locked')
      await repeated
      assert.deepEqual(requests, ['locked', 'repeated'])
      await stage.sleep(1_000)
      assert.ok(stage.has('lock'), 'the thread has lost its hold')
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
