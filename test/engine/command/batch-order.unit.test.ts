import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { BatchExecutor, BatchRunOptions } from '../../../src/command/batch/batch-executor.js'
import { defineCommand } from '../../../src/command/operation/command.js'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { integer, status, unread } from '../../../src/command/operation/replies.js'
import { defineScript } from '../../../src/command/operation/script.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Command, Connection, Outcome, Reply } from '../../../src/connection/connection.js'
import {
  ConnectionLostError,
  ReplyTimeoutError,
  ServerNotReadyError,
} from '../../../src/errors/connection-errors.js'
import type { RedissonError } from '../../../src/errors/redisson-error.js'
import { CommandError } from '../../../src/errors/reply-errors.js'

const commands = {
  get: defineCommand('GET', { keys: ['key'], args: [], reply: unread, repeat: 'safe' }),
  set: defineCommand('SET', {
    keys: ['key'],
    args: [],
    reply: status,
    repeat: 'idempotent',
    overwrites: true,
  }),
  unlink: defineCommand('UNLINK', { keys: ['key'], args: [], reply: integer, repeat: 'idempotent' }),
  incr: defineCommand('INCR', { keys: ['key'], args: [], reply: integer, repeat: 'counting' }),
}

const push = defineScript('test/push', {
  lua: "return redis.call('rpush', KEYS[1], 1)",
  keys: ['key'],
  args: [],
  reply: integer,
  repeat: 'counting',
})

/** What becomes of a first copy. */
const failures: Readonly<Record<string, () => RedissonError>> = {
  lost: () => new ConnectionLostError('The connection was lost'),
  refused: () => notReady('OOM command not allowed'),
  between: () => notReady('TRYAGAIN Multiple keys request during rehashing of slot'),
  moved: () => notReady('ASK 7 127.0.0.1:1'),
  forbidden: () =>
    refusedAs('NOPERM this user has no permissions to access one of the keys used as arguments'),
  unknown: () => refusedAs('NOSCRIPT No matching script. Please use EVAL.'),
}

function notReady(words: string): RedissonError {
  return new ServerNotReadyError('Redis is not ready', { cause: new Error(words) })
}

function refusedAs(words: string): RedissonError {
  return new CommandError('evalsha', { cause: new Error(words) })
}

const replyTo = ({ name }: Command): Reply => (name === 'set' ? Buffer.from('OK') : 1)

/** Replies to whatever is sent by itself, and to the first copies as it is given. */
class ScriptedServer {
  readonly #first: (string | undefined)[]

  constructor(first: readonly (string | undefined)[]) {
    this.#first = [...first]
  }

  connect(): Promise<void> {
    return Promise.resolve()
  }

  send(command: Command): Promise<Reply> {
    return Promise.resolve(replyTo(command))
  }

  sendAll(all: readonly Command[]): Promise<readonly Outcome[]> {
    const first = this.#first.splice(0)
    return Promise.resolve(all.map((command, index) => failures[first[index] ?? '']?.() ?? replyTo(command)))
  }

  async sendAtomic(all: readonly Command[]): Promise<readonly (Reply | Error)[]> {
    const [first = ''] = this.#first.splice(0)
    await Promise.resolve()
    const failure = failures[first]?.()
    if (failure !== undefined) throw failure
    return all.map(replyTo)
  }
}

function executorOf(
  server: ScriptedServer,
  settings: object = { retryDelay: 1, retryAttempts: 3 },
): ConnectionExecutor {
  const config = resolveConfig({ singleServerConfig: { address: 'redis://127.0.0.1:6379', ...settings } })
  const connection: Partial<Connection> = {
    publishCommand: 'publish',
    opening: () => undefined,
    slotOf: () => 0,
    send: (command) => server.send(command),
    sendAll: (all) => server.sendAll(all),
    apart: async () => {
      await server.connect()
      return {
        send: (command) => server.send(command),
        demandAtomic: () => Promise.resolve(),
        sendAtomic: (all) => server.sendAtomic(all),
        confirmed: (send) => ({ sent: send(), replicas: Promise.resolve(0) }),
      }
    },
  }
  return new ConnectionExecutor(connection as Connection, config)
}

/**
 * Makes calls such as `set a lost`: a command, `once` before it for one with an idempotency key, a key, behind `+` another one that its result depends
 * on, and what becomes of its first copy.
 */
async function outcomesOf(
  calls: readonly string[],
  options: BatchRunOptions = {},
): Promise<readonly string[]> {
  const words = calls.map((call) => call.split(' '))
  const executor = executorOf(new ScriptedServer(words.map((each) => each.at(-1))))
  const batch = executor.batch(options)
  const promises = words.map((each) => {
    const exactlyOnce = each[0] === 'once'
    const [name = '', keys = ''] = exactlyOnce ? each.slice(1) : each
    const [key = '', ...dependsOn] = keys.split('+')
    const call = { keys: { key }, args: {} }
    if (name === 'push') return batch.run(push, call, { exactlyOnce })
    return batch.run(commands[name as keyof typeof commands], call, { exactlyOnce, dependsOn })
  })
  await batch.execute()
  const settled = await Promise.allSettled(promises)
  return settled.map((each) => {
    if (each.status === 'fulfilled') return 'ok'
    return (each.reason as RedissonError).mayHaveRun ? 'open' : 'not run'
  })
}

describe('what is sent again of a batch', () => {
  it.each([
    ['what was refused at the end', ['incr b ok', 'incr a refused', 'incr a refused'], ['ok', 'ok', 'ok']],
    ['nothing that was refused before what has run', ['set a refused', 'get b ok'], ['not run', 'ok']],
    [
      'only what comes after the last reply',
      ['incr a refused', 'incr a ok', 'incr a refused'],
      ['not run', 'ok', 'ok'],
    ],
    ['what another node has, of other keys', ['set a moved', 'get b ok'], ['ok', 'ok']],
    ['nothing of a key that was read since', ['set a moved', 'get a ok'], ['not run', 'ok']],
    ['what no node could run yet, of other keys', ['once incr a between', 'get b ok'], ['ok', 'ok']],
    ['nothing of that if its key was read since', ['once incr a between', 'get a ok'], ['not run', 'ok']],
    ['nothing of that if it depends on what has changed', ['get a+b between', 'set b ok'], ['not run', 'ok']],
    ['reads that depend on the same further key', ['get a+m moved', 'get b+m ok'], ['ok', 'ok']],
    ['no read before a change of a further key', ['get a+m moved', 'set m ok'], ['not run', 'ok']],
    ['no read before a lost change of a further key', ['get a+m lost', 'incr m lost'], ['open', 'open']],
    [
      'a script that was not read, of other keys',
      ['push a forbidden', 'push b unknown', 'get c ok', 'push b unknown'],
      ['not run', 'ok', 'ok', 'ok'],
    ],
    [
      'no such script of a key that was read since',
      ['push a moved', 'push b unknown', 'get b ok', 'once push c unknown'],
      ['ok', 'not run', 'ok', 'ok'],
    ],
    [
      'no such script before a lost change',
      ['push a unknown', 'incr a lost', 'get b ok'],
      ['not run', 'open', 'ok'],
    ],
    ['reads', ['get a lost', 'get a lost'], ['ok', 'ok']],
    ['no read before a change of its key', ['get a lost', 'set a lost'], ['open', 'ok']],
    ['a read before a change of another key', ['get a lost', 'set b lost'], ['ok', 'ok']],
    ['a read after a change', ['set a lost', 'get a lost'], ['ok', 'ok']],
    ['writes, all of them', ['set a lost', 'set a lost', 'unlink a lost'], ['ok', 'ok', 'ok']],
    ['no write before one that has its effect once', ['set a lost', 'once incr a lost'], ['open', 'ok']],
    ['no write before what is not sent again', ['set a lost', 'incr a lost'], ['open', 'open']],
    ['no result that a later write changes', ['unlink a lost', 'set a lost'], ['open', 'ok']],
    ['what has its effect once, before all else', ['once incr a lost', 'set a lost'], ['ok', 'ok']],
    ['nothing refused before a lost change', ['once incr a refused', 'set a lost'], ['not run', 'ok']],
    ['what was refused before a lost read', ['set a refused', 'get a lost'], ['ok', 'ok']],
  ])('is %s', async (_, calls, expected) => {
    expect(await outcomesOf(calls)).toEqual(expected)
  })

  it.each([
    ['all of it', ['set a lost', 'get a'], ['ok', 'ok']],
    ['all of it that was refused', ['get a refused', 'incr a'], ['ok', 'ok']],
    ['all but the result of an overtaken read', ['get a lost', 'set a'], ['open', 'ok']],
    ['all that has its effect once', ['once incr a lost', 'get a', 'once incr b'], ['ok', 'ok', 'ok']],
    ['nothing where a write would be overtaken', ['set a lost', 'once incr a'], ['open', 'open']],
  ])('is %s, as one step', async (_, calls, expected) => {
    expect(await outcomesOf(calls, { atomic: true })).toEqual(expected)
  })

  it('is the first alone while the server is silent', async () => {
    const server = new ScriptedServer(Array.from({ length: 20 }, () => 'lost'))
    let copies = 0
    server.send = () => {
      copies += 1
      return Promise.reject(new ReplyTimeoutError('127.0.0.1:1', 1))
    }
    const batch = executorOf(server).batch({ exactlyOnce: true })
    const counted = Array.from({ length: 20 }, (_, at) =>
      batch.run(commands.incr, { keys: { key: String(at) }, args: {} }),
    )
    await batch.execute()
    for (const each of counted) await expect(each).rejects.toMatchObject({ mayHaveRun: true })
    expect(copies).toBe(3)
  })

  // With these settings for about 200 ms.
  const FORGETFUL = { timeout: 50, connectTimeout: 50, retryDelay: 1, retryAttempts: 1 }

  const threeOf = (batch: BatchExecutor) =>
    [1, 2, 3].map((at) => batch.run(commands.incr, { keys: { key: String(at) }, args: {} }))

  const lost = { status: 'rejected', reason: { code: 'CONNECTION_LOST', mayHaveRun: true } }

  it('is nothing that the server may have forgotten by then', { tags: ['timed'] }, async () => {
    const server = new ScriptedServer(['lost', 'lost', 'lost'])
    let copies = 0
    server.send = async () => {
      copies += 1
      await sleep(250)
      return 1
    }
    const batch = executorOf(server, FORGETFUL).batch({ exactlyOnce: true })
    const counted = threeOf(batch)
    await batch.execute()
    expect(await Promise.allSettled(counted)).toMatchObject([{ status: 'fulfilled', value: 1 }, lost, lost])
    expect(copies).toBe(1)
  })

  it(
    'is no step that the server may have forgotten once there is a connection',
    { tags: ['timed'] },
    async () => {
      const server = new ScriptedServer(['lost'])
      let connections = 0
      server.connect = () => sleep(connections++ === 0 ? 0 : 250)
      const batch = executorOf(server, FORGETFUL).batch({ atomic: true, exactlyOnce: true, timeoutMs: 50 })
      const counted = threeOf(batch)
      await batch.execute()
      expect(await Promise.allSettled(counted)).toMatchObject([lost, lost, lost])
      expect(connections).toBe(2)
    },
  )
})
