import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Command, Redis } from 'ioredis'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Failures } from '../../../src/connection/login/failures.js'
import { PendingCommands } from '../../../src/connection/requests/pending-commands.js'
import { SyncedLane } from '../../../src/connection/requests/synced-lane.js'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'

const TIMEOUT_MS = 60_000

/** A connection to a server that runs nothing after `WAIT` until the replicas are counted, as Redis does. */
class BlockedServer {
  readonly redis = {
    sendCommand: (command: Command) => this.#receive(command),
    options: { host: '127.0.0.1', port: 6379 },
  } as unknown as Redis
  /** What has run, each group of it with the `WAIT` after it. */
  readonly ran: string[] = []
  #received: Command[] = []
  #question: Command | undefined

  get isBlocked(): boolean {
    return this.#question !== undefined
  }

  /** Ends the `WAIT` that blocks the connection. */
  count(replicas: number | Error): void {
    const question = this.#question
    this.#question = undefined
    if (replicas instanceof Error) question?.reject(replicas)
    else question?.resolve(replicas)
    this.#run()
  }

  /** Loses the connection, with all that has no reply. */
  lose(): void {
    const unanswered = [this.#question, ...this.#received]
    this.#question = undefined
    this.#received = []
    for (const command of unanswered) command?.reject(new Error('Connection is closed.'))
  }

  #receive(command: Command): unknown {
    command.toWritable({
      writableLength: 0,
      bytesWritten: 0,
      on: () => undefined,
      once: () => undefined,
    })
    this.#received.push(command)
    this.#run()
    return command.promise
  }

  #run(): void {
    while (!this.isBlocked) {
      const command = this.#received.shift()
      if (command === undefined) return
      this.ran.push([command.name, ...command.args].join(' '))
      if (command.name === 'wait') this.#question = command
      else command.resolve(`${command.name} ran`)
    }
  }
}

describe('what the same number of replicas has to confirm', () => {
  let server: BlockedServer
  let pending: PendingCommands
  let lane: SyncedLane

  beforeEach(() => {
    server = new BlockedServer()
    const failures = new Failures({ connectTimeoutMs: TIMEOUT_MS, timeoutMs: TIMEOUT_MS })
    pending = new PendingCommands(TIMEOUT_MS, failures)
    lane = new SyncedLane({ redis: server.redis, pending, replicas: 2, withinMs: 1_000 })
    return () => {
      pending.close()
    }
  })

  /** Sends a command; returns its fate, which changes as its promises settle. */
  const send = (name: string, timeoutMs?: number) => {
    const fate: { reply?: unknown; replicas?: unknown } = {}
    const codeOf = (error: unknown) => (isRedissonError(error) ? error.code : String(error))
    const { sent, replicas } = lane.send(() => pending.send(server.redis, { name, args: [], timeoutMs }))
    void sent.catch(codeOf).then((reply) => (fate.reply = reply))
    void replicas.catch(codeOf).then((count) => (fate.replicas = count))
    return fate
  }

  it('is asked of them once for all requests that were made in one go', async () => {
    const fates = ['a', 'b', 'c'].map((name) => send(name))
    await setImmediate()
    expect(server.ran).toEqual(['a', 'b', 'c', 'wait 2 1000'])
    server.count(2)
    await setImmediate()
    expect(fates).toEqual(['a', 'b', 'c'].map((name) => ({ reply: `${name} ran`, replicas: 2 })))
    expect(server.isBlocked).toBe(false)
  })

  it('waits for one silent replica no longer than twice, however many requests there are', async () => {
    const first = send('first')
    await setImmediate()
    const others = Array.from({ length: 10 }, async (_, index) => {
      await setImmediate() // each in its own turn
      return send(`other-${String(index)}`)
    })
    const fates = await Promise.all(others)
    server.count(1)
    await setImmediate()
    expect(first).toEqual({ reply: 'first ran', replicas: 1 })
    server.count(1)
    await setImmediate()
    expect(fates.map(({ replicas }) => replicas)).toEqual(fates.map(() => 1))
    expect(server.ran.filter((command) => command.startsWith('wait'))).toHaveLength(2)
  })

  it('is sent in the order in which it was asked for', async () => {
    send('a')
    await setImmediate()
    send('b')
    send('c')
    server.count(2)
    await setImmediate()
    send('d')
    server.count(2)
    await setImmediate()
    expect(server.ran).toEqual(['a', 'wait 2 1000', 'b', 'c', 'wait 2 1000', 'd', 'wait 2 1000'])
  })

  it('is not sent while others are waited for, so that its time begins when it is sent', async () => {
    send('a')
    await setImmediate()
    const late = send('late', 20_000)
    await setImmediate()
    expect(server.ran).toEqual(['a', 'wait 2 1000'])
    expect(late).toEqual({})
    server.count(2)
    await setImmediate()
    expect(late).toEqual({ reply: 'late ran' })
  })

  it('says to each of a group that the replicas could not be asked, and goes on', async () => {
    const fates = [send('a'), send('b')]
    await setImmediate()
    server.count(
      Object.assign(new Error('NOPERM no permissions to run the wait command'), { name: 'ReplyError' }),
    )
    await setImmediate()
    expect(fates).toEqual(['a', 'b'].map((name) => ({ reply: `${name} ran`, replicas: 'COMMAND' })))
    const next = send('next')
    await setImmediate()
    server.count(2)
    await setImmediate()
    expect(next).toEqual({ reply: 'next ran', replicas: 2 })
  })

  it('says so of a lost connection as well, and sends what has waited', async () => {
    const lost = send('lost')
    await setImmediate()
    const next = send('next')
    server.lose()
    await setImmediate()
    expect(lost).toEqual({ reply: 'lost ran', replicas: 'CONNECTION_LOST' })
    server.count(2)
    await setImmediate()
    expect(next).toEqual({ reply: 'next ran', replicas: 2 })
  })

  it('is rejected when the client is closed, whether it was sent or not', async () => {
    const fates = [send('sent')]
    await setImmediate()
    fates.push(send('waiting'))
    pending.close()
    await setImmediate()
    expect(fates).toEqual([
      { reply: 'sent ran', replicas: 'CLOSED' },
      { reply: 'CLOSED', replicas: 'CLOSED' },
    ])
    expect(server.ran).toEqual(['sent', 'wait 2 1000'])
  })

  it('is sent in the context of its caller, and asked for in none', async () => {
    const context = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const spy = vi.spyOn(server.redis, 'sendCommand').mockImplementation(() => {
      seen.push(context.getStore())
      return Promise.resolve()
    })
    for (const caller of ['first', 'second']) context.run(caller, () => send(caller))
    await setImmediate()
    spy.mockRestore()
    expect(seen).toEqual(['first', 'second', undefined])
  })

  it('is asked for although one of its group could not be sent', async () => {
    const broken = lane.send(() => {
      throw new ClientClosedError()
    })
    const fate = send('a')
    await expect(broken.sent).rejects.toMatchObject({ code: 'CLOSED' })
    await setImmediate()
    server.count(2)
    await setImmediate()
    expect(fate).toEqual({ reply: 'a ran', replicas: 2 })
    expect(await broken.replicas).toBe(2)
  })
})
