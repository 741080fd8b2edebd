import assert from 'node:assert/strict'
import type { RedissonClient } from '../../../src/index.js'
import type { WhichScript } from './process.js'
import type { Scenario } from './scenario.js'

/** Longer than any reply may take. */
const STANDSTILL_MS = 10_000

/** Calls, and the request of each whose reply arrives while the process stands still. */
const CALLS: readonly (readonly [
  string,
  WhichScript,
  (client: RedissonClient) => Promise<unknown>,
  unknown,
])[] = [
  ['increment', { command: 'INCRBY' }, (client) => client.getAtomicLong('number').incrementAndGet(), 1],
  ['get', { command: 'GET' }, (client) => client.getBucket('bucket').get(), 'value'],
  [
    'lock',
    { with: 'lock' },
    (client) =>
      client
        .getLock('lock')
        .acquire()
        .then((hold) => hold.isHeld),
    true,
  ],
  [
    'batch',
    { command: 'INCRBY' },
    (client) => client.batch((batch) => [batch.getAtomicLong('number').incrementAndGet()]),
    [1],
  ],
]

export const standingStill: readonly Scenario[] = [
  ...CALLS.map(([name, which, call, expected]): Scenario => ({
    name: `standstill-with-reply-${name}`,
    promise: `A reply that has arrived while the process stood still is not late (${name})`,
    run: async (stage) => {
      stage.redis.command('SET', 'bucket', '"value"')
      const mine = await stage.process('mine')
      const sent = mine.atScript(which, () => {
        mine.freeze(STANDSTILL_MS)
        return 'deliver'
      })
      const called = mine.run(call)
      await sent
      let again = 0
      void mine.atScript(which, () => {
        again += 1
        return 'deliver'
      })
      assert.deepEqual(await called, expected)
      await stage.sleep(1_000)
      assert.equal(again, 0, 'it was asked for again')
    },
  })),
  {
    name: 'standstill-with-renewal',
    promise: 'A lock stays held whose renewal had its reply while the process stood still',
    run: async (stage) => {
      const mine = await stage.process('mine', { lockWatchdogTimeout: 30_000 })
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const renewed = mine.atScript({ with: 'lock' }, () => {
        mine.freeze(20_000)
        return 'deliver'
      })
      await renewed
      await stage.sleep(40_000)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  },
]
