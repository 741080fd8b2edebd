import { describe, expect, it } from 'vitest'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { integer } from '../../../src/command/operation/replies.js'
import { defineScript } from '../../../src/command/operation/script.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Command, Connection, Reply } from '../../../src/connection/connection.js'
import { ConnectionLostError } from '../../../src/errors/connection-errors.js'
import { NotReplicatedError } from '../../../src/errors/lock-errors.js'
import { CommandError } from '../../../src/errors/reply-errors.js'

const count = defineScript('test/count', {
  lua: "return redis.call('incr', KEYS[1])",
  keys: ['key'],
  args: [],
  reply: integer,
  repeat: 'counting',
})

const config = resolveConfig({
  singleServerConfig: { address: 'redis://127.0.0.1:6379', retryDelay: 1, retryAttempts: 3 },
})

/** A server that knows no script by its hash. Its replicas confirm what has run before the first request, and nothing else. */
class ForgetfulServer {
  readonly names: string[] = []
  /** How many requests are lost from now on. */
  losses = 0
  #counted = 0

  readonly send = ({ name }: Command): Promise<Reply> => {
    if (this.losses > 0) {
      this.losses -= 1
      return Promise.reject(new ConnectionLostError('The connection was lost'))
    }
    this.names.push(name)
    if (name === 'wait') return Promise.resolve(this.#counted === 0 ? 1 : 0)
    if (name === 'evalsha') return Promise.reject(noScript())
    this.#counted += 1
    return Promise.resolve(this.#counted)
  }
}

function noScript(): CommandError {
  return new CommandError('evalsha', { cause: new Error('NOSCRIPT No matching script.') })
}

function executorOf({ send }: ForgetfulServer): ConnectionExecutor {
  const connection: Partial<Connection> = {
    publishCommand: 'publish',
    opening: () => undefined,
    slotOf: () => 0,
    send,
    apart: () =>
      Promise.resolve({
        send,
        demandAtomic: () => Promise.resolve(),
        sendAtomic: () => Promise.resolve([]),
        confirmed: (run) => ({ sent: run(), replicas: send({ name: 'wait', args: [] }).then(Number) }),
      }),
  }
  return new ConnectionExecutor(connection as Connection, config)
}

describe('the replicas that are to confirm a batch', () => {
  it('are asked after a script has run that the server had forgotten', async () => {
    const server = new ForgetfulServer()
    const batch = executorOf(server).batch({ replicas: 1 })
    const counted = [1, 2].map(() => batch.run(count, { keys: { key: 'a' }, args: {} }))
    expect(await batch.execute()).toBeInstanceOf(NotReplicatedError)
    expect(await Promise.all(counted)).toEqual([1, 2])
    expect(server.names).toEqual(['eval', 'evalsha', 'wait', 'eval', 'wait'])
  })

  it('are asked after a script has run that is sent again to a server that does not know it', async () => {
    const server = new ForgetfulServer()
    const batch = executorOf(server).batch({ replicas: 1, exactlyOnce: true })
    const counted = batch.run(count, { keys: { key: 'a' }, args: {} })
    server.losses = 2 // the script, and what asks the replicas
    expect(await batch.execute()).toBeInstanceOf(NotReplicatedError)
    expect(await counted).toBe(1)
    expect(server.names).toEqual(['eval', 'wait'])
  })
})
