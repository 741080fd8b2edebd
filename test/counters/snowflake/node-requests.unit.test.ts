import { describe, expect, it } from 'vitest'
import { Layout } from '../../../src/counters/snowflake/layout.js'
import { NodeRequests } from '../../../src/counters/snowflake/node-requests.js'
import { acquire, release } from '../../../src/counters/snowflake/snowflake.scripts.js'
import { ServerNotReadyError } from '../../../src/errors/connection-errors.js'

const GRANTED = [0, 1, 2, 1, '']

describe('the requests for node numbers', () => {
  it('do not give back the number of a request that is under way, although an earlier one has failed with its token', async () => {
    const tokens: string[] = []
    const givenBack: string[] = []
    const replies = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
    interface Call {
      readonly args: Readonly<Record<string, string>>
    }
    const run = (script: unknown, { args }: Call) => {
      if (script === release) givenBack.push(args['token'] ?? '')
      return Promise.resolve(1)
    }
    const runTimed = async (script: unknown, { args }: Call) => {
      expect(script).toBe(acquire)
      tokens.push(args['token'] ?? '')
      return { result: await replies[tokens.length - 1]?.promise, sentAt: performance.now() }
    }
    const context = {
      executor: { run, runTimed },
      config: { lockWatchdogTimeoutMs: 30_000 },
      closing: new AbortController().signal,
      requestIds: { next: () => `token ${String(tokens.length)}` },
    }
    const deps = { context, name: 'ids', key: 'ids', layout: Layout.of({}) }
    const requests = new NodeRequests(deps as unknown as ConstructorParameters<typeof NodeRequests>[0])

    const first = requests.acquire(0)
    replies[0]?.reject(new ServerNotReadyError('It is away', { mayHaveRun: true }))
    await expect(first).rejects.toMatchObject({ mayHaveRun: true })
    const second = requests.acquire(0)
    await requests.release(undefined)
    replies[1]?.resolve(GRANTED)
    expect(await second).toMatchObject({ node: 0, token: tokens[0] })
    expect([tokens[1], givenBack]).toEqual([tokens[0], []])
  })
})
