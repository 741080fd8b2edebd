import { EventEmitter } from 'node:events'
import type { Command, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import { Failures } from '../../../src/connection/login/failures.js'
import { PendingCommands } from '../../../src/connection/requests/pending-commands.js'
import { SideConnections } from '../../../src/connection/requests/side-connections.js'

const config = resolveConfig({ singleServerConfig: { address: 'redis://127.0.0.1:6379' } })

/** A connection that is ready, over which every command has a reply but `WAIT`, which is never over. */
class FakeRedis extends EventEmitter {
  status = 'ready'
  stream = {}
  readonly options = { host: '127.0.0.1', port: 6379 }
  readonly asked: string[] = []
  readonly disconnect = vi.fn((_reconnect?: boolean) => this.emit('close'))

  sendCommand(command: Command): void {
    this.asked.push(command.name)
    if (command.name === 'exec') command.resolve([])
    else if (command.name !== 'wait') command.resolve('OK')
  }
}

describe('the connections to a server beside that for commands', () => {
  let made: FakeRedis[]
  let pending: PendingCommands
  let beside: SideConnections

  beforeEach(() => {
    made = []
    pending = new PendingCommands(60_000, new Failures(config))
    const make = () => {
      const redis = new FakeRedis()
      made.push(redis)
      return redis as unknown as Redis
    }
    beside = new SideConnections(make, config, pending)
  })

  afterEach(() => {
    pending.close()
  })

  /** Sends a command that is never confirmed. */
  const sendSynced = (replicas: number) => {
    void beside.sendSynced({ name: 'set', args: ['key', 1] }, replicas).catch(() => undefined)
  }
  const asked = async () => {
    await Promise.resolve()
    return made.map((redis) => redis.asked)
  }

  it('are opened when they are wanted, one for each number of replicas', async () => {
    expect(made).toHaveLength(0)
    for (const replicas of [2, 1, 2]) sendSynced(replicas)
    expect(await asked()).toEqual([
      ['set', 'set', 'wait'],
      ['set', 'wait'],
    ])
  })

  it('keep what runs as one step from what waits for replicas', async () => {
    sendSynced(2)
    const apart = await beside.apart(0)
    expect(await apart.sendAtomic([])).toEqual([])
    expect(await asked()).toEqual([
      ['set', 'wait'],
      ['multi', 'exec'],
    ])
  })

  it('ask replicas once for requests and a batch that come together', async () => {
    const apart = await beside.apart(2)
    sendSynced(2)
    const { sent, replicas } = apart.confirmed(() => apart.send({ name: 'incr', args: ['key'] }))
    expect(await sent).toBe('OK')
    expect(await asked()).toEqual([['set', 'incr', 'wait']])
    pending.close()
    await expect(replicas).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('are asked once for each socket whether they may run transactions', async () => {
    const apart = await beside.apart(0)
    for (const stream of [{}, {}]) {
      Object.assign(made[0] ?? {}, { stream })
      await apart.demandAtomic()
      await apart.demandAtomic()
    }
    expect(await asked()).toEqual([['multi', 'exec', 'multi', 'exec']])
  })

  it('ask no replica where none has to confirm', async () => {
    const apart = await beside.apart(0)
    const { sent, replicas } = apart.confirmed(() => apart.send({ name: 'incr', args: ['key'] }))
    expect([await sent, await replicas]).toEqual(['OK', 0])
    expect(await asked()).toEqual([['incr']])
  })

  it('have one that goes past data', () => {
    expect(beside.ahead).toBe(beside.ahead)
    expect(made).toHaveLength(1)
  })

  it('are connected once more where they lead to another server, unless they are being connected', async () => {
    expect(beside.ahead.status).toBe('ready')
    await beside.apart(0)
    Object.assign(made[1] ?? {}, { status: 'connecting' })
    beside.follow('127.0.0.1:6379')
    expect(made.map((redis) => redis.disconnect.mock.calls)).toEqual([[], []])
    beside.follow('127.0.0.1:6380')
    expect(made.map((redis) => redis.disconnect.mock.calls)).toEqual([[[true]], []])
  })

  it('are closed together', async () => {
    sendSynced(1)
    expect(beside.ahead.status).toBe('ready')
    await beside.close()
    expect(made.map((redis) => redis.disconnect.mock.calls.length)).toEqual([1, 1])
  })
})
