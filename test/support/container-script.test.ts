import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { eventually } from './eventually.js'
import { theLauncher } from './launch/choose-launcher.js'
import { containerScript, filesOf, killLine, signalLine, startLine } from './launch/docker-launcher.js'
import { freePorts } from './launch/free-ports.js'
import { protect, temporaryFolder } from './launch/guard.js'
import { NodeConnection } from './launch/node-connection.js'
import { LOOPBACK, sentinelPlan, serverPlan } from './launch/server-plans.js'

const run = promisify(execFile)

// It needs no container: a folder does in place of its file system.
describe.runIf(process.env['REDISSON_TEST_REDIS'] === 'local')('the script of a container', () => {
  it('starts servers, and the lines that go with it freeze, kill and restart one', async () => {
    const [port = 0, sentinelPort = 0] = await freePorts(2)
    const ground = await theLauncher()
    const watch = {
      masterName: 'm',
      masterPort: port,
      quorum: 1,
      downAfterMs: 60_000,
      failoverTimeoutMs: 60_000,
    }
    const server = serverPlan(ground, port)
    const plans = [server, sentinelPlan(ground, sentinelPort, watch)]

    const root = temporaryFolder()
    const here = (line: string): string => line.replaceAll('/fleet', root)
    const shell = (line: string) => run('/bin/sh', ['-c', here(line)])
    for (const { target, content } of filesOf(plans)) {
      mkdirSync(dirname(here(target)), { recursive: true })
      writeFileSync(here(target), content)
    }
    const container = spawn('/bin/sh', ['-c', here(containerScript(plans))], { stdio: 'ignore' })
    protect(container)
    try {
      const connection = new NodeConnection({ host: LOOPBACK, port })
      const answers = () => eventually(() => connection.command('PING'), { what: 'the server to answer' })
      const sentinel = new NodeConnection({ host: LOOPBACK, port: sentinelPort })
      await answers()
      expect(await eventually(() => sentinel.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'm'))).toEqual([
        LOOPBACK,
        String(port),
      ])

      await shell(signalLine(port, 'STOP'))
      const answer = connection.command('INCR', 'counter')
      expect(await Promise.race([answer, sleep(100, 'nothing yet')])).toBe('nothing yet')
      await shell(signalLine(port, 'CONT'))
      expect(await answer).toBe(1)

      await shell(killLine(port))
      await expect(connection.command('PING')).rejects.toThrow('did not answer')
      await shell(killLine(port)) // a second time has no effect
      await shell(startLine(server))
      await answers()
      expect(await connection.command('EXISTS', 'counter')).toBe(0)
    } finally {
      for (const { port } of plans) await shell(killLine(port))
      container.kill('SIGKILL')
    }
  })
})
