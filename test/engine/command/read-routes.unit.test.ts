import { describe, expect, it } from 'vitest'
import { FROM_ANY_NODE, type RunOptions } from '../../../src/command/operation/command-executor.js'
import { defineCommand } from '../../../src/command/operation/command.js'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { unread } from '../../../src/command/operation/replies.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Connection } from '../../../src/connection/connection.js'

const commandOf = (repeat: 'safe' | 'idempotent' | 'counting', keys: readonly 'key'[] = ['key']) =>
  defineCommand('CMD', { keys, args: [], reply: unread, repeat })

/** Runs a command in a mode; returns which way it went, and the key that it was sent by. */
async function routeOf(
  readMode: 'MASTER' | 'SLAVE' | 'MASTER_SLAVE',
  command: ReturnType<typeof commandOf>,
  options?: RunOptions,
): Promise<string> {
  const config = resolveConfig({ clusterServersConfig: { nodeAddresses: ['redis://h:1'], readMode } })
  let route = 'none'
  const connection: Partial<Connection> = {
    publishCommand: 'publish',
    opening: () => undefined,
    slotOf: () => 0,
    send: () => {
      route = 'master'
      return Promise.resolve(1)
    },
    read: (_, key) => {
      route = `any node by ${key.toString()}`
      return Promise.resolve(1)
    },
  }
  const executor = new ConnectionExecutor(connection as Connection, config)
  await executor.run(command, { keys: { key: 'k' }, args: {} }, options)
  return route
}

describe('a request', () => {
  it.each(['SLAVE', 'MASTER_SLAVE'] as const)(
    'goes to any node if it may, and readMode is %s',
    async (mode) => {
      expect(await routeOf(mode, commandOf('safe'), FROM_ANY_NODE)).toBe('any node by k')
    },
  )

  it('goes to the master where readMode says so', async () => {
    expect(await routeOf('MASTER', commandOf('safe'), FROM_ANY_NODE)).toBe('master')
  })

  it('goes to the master unless its caller allows another node', async () => {
    expect(await routeOf('SLAVE', commandOf('safe'))).toBe('master')
    expect(await routeOf('SLAVE', commandOf('safe'), { from: 'master' })).toBe('master')
  })

  it.each(['idempotent', 'counting'] as const)('goes to the master if it is %s', async (repeat) => {
    expect(await routeOf('SLAVE', commandOf(repeat), FROM_ANY_NODE)).toBe('master')
  })

  it('goes to the master if it has no key', async () => {
    expect(await routeOf('SLAVE', commandOf('safe', []), FROM_ANY_NODE)).toBe('master')
  })
})
