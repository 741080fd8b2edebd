import { tracingChannel } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RequestTrace } from '../../../src/api/diagnostics.js'
import { defineCommand } from '../../../src/command/operation/command.js'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { bytes, integer } from '../../../src/command/operation/replies.js'
import { defineScript } from '../../../src/command/operation/script.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Connection } from '../../../src/connection/connection.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import { CommandError } from '../../../src/errors/reply-errors.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { Emitter } from '../../../src/util/emitter.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const incr = defineCommand('INCR', { keys: ['key'], args: [], reply: integer, repeat: 'counting' })
const get = defineCommand('GET', { keys: ['key'], args: [], reply: bytes, repeat: 'safe' })
const strlen = defineScript('test/strlen', {
  lua: "return redis.call('strlen', KEYS[1])",
  keys: ['key'],
  args: ['secret'],
  reply: integer,
  repeat: 'safe',
})

describe('the channel of requests', () => {
  let door: Proxied<typeof single>
  let connection: Connection
  let executor: ConnectionExecutor

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    const config = resolveConfig(door.options({ retryDelay: 20, reconnectionDelay: 10 }))
    connection = await createConnection(config, new Emitter())
    executor = new ConnectionExecutor(connection, config)
  })

  afterEach(async () => {
    await door.proxies[0]?.heal()
    await single.nodes[0].command('DEL', 'traced', 'ledger')
  })

  afterAll(async () => {
    await executor.close(Deadline.after(1000))
    await connection.close()
    await door.stop()
  })

  /** The events of requests meanwhile, each with what was known by then. */
  const eventsOf = async (act: () => Promise<unknown>) => {
    const events: (readonly [string, RequestTrace])[] = []
    const hear = (name: string) => (trace: object) => {
      events.push([name, { ...(trace as RequestTrace) }])
    }
    const subscribers = {
      start: hear('start'),
      end: hear('end'),
      asyncStart: hear('asyncStart'),
      asyncEnd: hear('asyncEnd'),
      error: hear('error'),
    }
    const channel = tracingChannel('ioredisson:request')
    channel.subscribe(subscribers)
    try {
      await act().catch(() => undefined)
    } finally {
      channel.unsubscribe(subscribers)
    }
    return events
  }

  const begun = (kind: RequestTrace['kind'], name: string) => ({
    kind,
    name,
    attempts: 0,
    waitedMs: 0,
    outcome: undefined,
  })

  it('reports when a command is sent, and its outcome', async () => {
    const events = await eventsOf(() => executor.run(incr, { keys: { key: 'traced' }, args: {} }))
    expect(events.map(([name]) => name)).toEqual(['start', 'end', 'asyncStart', 'asyncEnd'])
    expect(events[0]?.[1]).toEqual(begun('command', 'INCR'))
    expect(events[2]?.[1]).toMatchObject({ attempts: 1, outcome: 'answered' })
    expect(events[2]?.[1].waitedMs).toBeGreaterThan(0)
  })

  it('tells of a script how often it was sent, and nothing of what it was given', async () => {
    door.proxies[0]?.loseReplyTo('traced')
    const events = await eventsOf(() =>
      executor.run(strlen, { keys: { key: 'traced' }, args: { secret: 'hunter2' } }),
    )
    expect(events.at(-1)?.[1]).toMatchObject({
      kind: 'script',
      name: 'test/strlen',
      attempts: 2,
      outcome: 'answered',
    })
    expect(JSON.stringify(events)).not.toMatch(/hunter2|traced/)
  })

  it('has no part of a result, and no name of an object in an error', async () => {
    await single.nodes[0].command('SET', 'ledger', 'hunter2')
    const call = { keys: { key: 'ledger' }, args: {} }
    const events = [
      ...(await eventsOf(() => executor.run(get, call))),
      ...(await eventsOf(() => executor.run(incr, call))),
    ]
    door.proxies[0]?.loseReplyTo('ledger')
    events.push(...(await eventsOf(() => executor.run(incr, call))))
    expect(events.map(([name]) => name).filter((name) => name === 'error')).toHaveLength(2)
    for (const [, trace] of events) {
      expect(inspect(trace, { depth: Infinity, showHidden: true })).not.toMatch(/hunter2|ledger|68 75 6e 74/)
    }
    expect(events.at(-1)?.[1].error).toMatchObject({
      name: 'ConnectionLostError',
      code: 'CONNECTION_LOST',
      message: 'INCR has failed',
    })
  })

  it('leaves the result and the error of the caller as they are', async () => {
    const call = { keys: { key: 'traced' }, args: {} }
    await single.nodes[0].command('SET', 'traced', 'hunter2')
    await eventsOf(async () => {
      expect(String(await executor.run(get, call))).toBe('hunter2')
      await expect(executor.run(incr, call)).rejects.toThrow(CommandError)
    })
    expect.assertions(2)
  })

  it('tells of errors, and whether the request may have run', async () => {
    await single.nodes[0].command('SET', 'traced', 'no number')
    const call = { keys: { key: 'traced' }, args: {} }
    const refused = await eventsOf(() => executor.run(incr, call))
    expect(refused.map(([name]) => name)).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd'])
    expect(refused.at(-1)?.[1]).toMatchObject({ attempts: 1, outcome: 'failed' })
    door.proxies[0]?.loseReplyTo('traced')
    const lost = await eventsOf(() => executor.run(incr, call))
    expect(lost.at(-1)?.[1]).toMatchObject({ attempts: 1, outcome: 'unknown' })
  })
})
