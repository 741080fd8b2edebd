import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startChild } from './child.js'
import { eventually } from './eventually.js'
import { NodeConnection } from './launch/node-connection.js'
import { LOOPBACK } from './launch/server-plans.js'
import { isAlive } from './process-state.js'

interface Started {
  readonly ports: readonly number[]
  readonly pids: readonly number[]
  readonly folder: string
}

/** Containers are removed by the engine's own means. */
const isLocal = process.env['REDISSON_TEST_REDIS'] === 'local'

const runner = new URL('fixtures/servers-and-child.ts', import.meta.url)

describe.runIf(isLocal).each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'when the runner ends by %s',
  (signal) => {
    it('leaves no server, no child process and no folder', async () => {
      await using child = startChild(runner)
      const { ports, pids, folder } = (await child.hear('started')) as unknown as Started
      expect(await Promise.all(pids.map(isAlive))).toEqual(pids.map(() => true))

      process.kill(child.pid ?? 0, signal)

      expect(await child.exited).toMatchObject({ signal })
      await eventually(async () => {
        expect(await Promise.all(pids.map(isAlive))).toEqual(pids.map(() => false))
      })
      await Promise.all(ports.map(demandSilence))
      await eventually(() => {
        expect(existsSync(dirname(folder))).toBe(false)
      })
    })
  },
)

describe.runIf(isLocal)('when the runner ends in order', () => {
  it('leaves nothing of what it forgot to stop', async () => {
    await using child = startChild(runner)
    const { pids } = (await child.hear('started')) as unknown as Started
    child.end()
    expect(await child.exited).toEqual({ code: 0, signal: null })
    await eventually(async () => {
      expect(await Promise.all(pids.map(isAlive))).toEqual(pids.map(() => false))
    })
  })
})

async function demandSilence(port: number): Promise<void> {
  const connection = new NodeConnection({ host: LOOPBACK, port })
  await expect(connection.command('PING')).rejects.toThrow('did not answer PING')
}
