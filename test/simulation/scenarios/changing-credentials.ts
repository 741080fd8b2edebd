import assert from 'node:assert/strict'
import type { CredentialsProvider } from '../../../src/index.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const USER = 'app'
const MINUTE_MS = 60_000

/** How long a token holds. */
const TOKEN_MS = 15 * MINUTE_MS

/** So that a lost connection is replaced at once. */
const SERVER = { reconnectionDelay: 100, retryDelay: 100 }

export const changingCredentials: readonly Scenario[] = [
  {
    name: 'tokens-expire',
    promise:
      'A lock is held, and waited for, for longer than three tokens last, and no request is sent after the end of its token',
    run: async (stage) => {
      const late: string[] = []
      const settings = { server: SERVER, credentials: tokensOf(stage, late) }
      const [mine, other] = await Promise.all([
        stage.process('mine', settings),
        stage.process('other', settings),
      ])
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      let outcome: string | undefined
      const waiter = outcomeName(other.run((client) => client.getLock('lock').acquire()))
      void waiter.then((name) => (outcome = name))
      const taken = outcomeName(other.run((client) => client.getScoredSortedSet<string>('tasks').takeFirst()))
      for (let minute = 0; minute < 50; minute += 1) {
        await stage.sleep(MINUTE_MS)
        await mine.run((client) => client.getBucket<number>('bucket').set(minute))
        assert.equal(await other.run((client) => client.getBucket<number>('bucket').get()), minute)
      }
      assert.equal(hold.signal.aborted, false)
      assert.equal(outcome, undefined)
      await mine.run(() => hold.unlock())
      await stage.until(() => outcome === 'ok', 'the waiter has the lock', 1000)
      await mine.run((client) => client.getScoredSortedSet<string>('tasks').add(1, 'task'))
      assert.equal(await taken, 'ok')
      assert.deepEqual(late, [])
    },
  },
  {
    name: 'password-rotated',
    promise:
      'A lock is held while the password changes, connections break, and the program learns the new one some time later',
    run: async (stage) => {
      let known = 'first'
      addUser(stage, known)
      const credentials = () => ({ username: USER, password: known, expiresAt: Date.now() + TOKEN_MS })
      const mine = await stage.process('mine', { server: SERVER, credentials })
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      addUser(stage, 'second')
      mine.cut()
      const set = outcomeName(mine.run((client) => client.getBucket('bucket').set('value')))
      await stage.sleep(100)
      known = 'second'
      assert.equal(await set, 'ok')
      await stage.sleep(2 * MINUTE_MS)
      assert.equal(hold.signal.aborted, false)
      assert.ok(stage.has('lock'))
      await mine.run(() => hold.unlock())
    },
  },
  {
    name: 'renewed-credentials-not-accepted-yet',
    promise:
      'Connections that open use the former credentials while a server does not accept the renewed ones, and those once it does',
    run: async (stage) => {
      addUser(stage, 'first')
      const words = ['first', 'second', 'third']
      const credentials = () => ({
        username: USER,
        password: words.shift() ?? 'fourth',
        expiresAt: Date.now() + TOKEN_MS,
      })
      const mine = await stage.process('mine', { server: { ...SERVER, retryAttempts: 0 }, credentials })
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      await stage.sleep(TOKEN_MS * 0.8 + 1_000) // the second one is refused
      const heard: string[] = []
      await mine.run((client) =>
        client.getTopic<string>('topic').addListener((word) => void heard.push(word)),
      )
      await mine.run((client) =>
        client.batch((batch) => [batch.getBucket('bucket').set('value')], { mode: 'atomic' }),
      )
      addUser(stage, 'third')
      await stage.sleep(TOKEN_MS / 5)
      mine.cut()
      await stage.sleep(1_000)
      await mine.run((client) => client.getTopic<string>('topic').publish('word'))
      await stage.until(() => heard.length === 1, 'the message is heard', 1_000)
      assert.equal(hold.signal.aborted, false)
      await mine.run(() => hold.unlock())
    },
  },
]

/** A program whose tokens replace each other. What uses a connection after the end of its token is noted. */
function tokensOf(stage: Stage, late: string[]): CredentialsProvider {
  let issued = 0
  return () => {
    issued += 1
    const password = `token-${String(issued)}`
    const end = stage.now + TOKEN_MS
    const isValid = (use: string): boolean => {
      if (stage.now >= end) late.push(`${use} with ${password}`)
      return stage.now < end
    }
    stage.redis.server.addUser({ name: USER, password, may: isValid, mayHear: isValid })
    return { username: USER, password, expiresAt: Date.now() + TOKEN_MS }
  }
}

function addUser(stage: Stage, password: string): void {
  stage.redis.server.addUser({ name: USER, password, may: () => true, mayHear: () => true })
}
