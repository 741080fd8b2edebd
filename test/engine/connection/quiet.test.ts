import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi, type MockInstance } from 'vitest'
import { Redisson } from '../../../src/client/redisson.js'
import { startSingle } from '../../support/servers.js'

describe('a client prints nothing by itself', () => {
  let printed: MockInstance[]

  beforeEach(() => {
    const { console } = globalThis
    printed = [
      vi.spyOn(console, 'warn').mockImplementation(() => undefined),
      vi.spyOn(console, 'error').mockImplementation(() => undefined),
      vi.spyOn(console, 'log').mockImplementation(() => undefined),
    ]
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const expectSilence = () => {
    for (const method of printed) expect(method).not.toHaveBeenCalled()
  }

  it('for a user without INFO, who has connections all the same', async () => {
    await using server = await startSingle()
    const [node] = server.nodes
    await node.command('ACL', 'SETUSER', 'app', 'on', '>word', '~*', '&*', '+@all', '-info')
    await using client = await Redisson.create({ ...server.options(), username: 'app', password: 'word' })
    await client.getBucket('quiet').set(1)
    await using _ = await client.getTopic('quiet').addListener(() => undefined)
    expectSilence()
  })

  it('for a password that the server does not want, of which the process is warned once', async () => {
    await using server = await startSingle()
    const warnings: string[] = []
    const hear = (warning: Error & { readonly code?: string }) => {
      if (warning.code === 'REDISSON_NEEDLESS_PASSWORD') warnings.push(warning.message)
    }
    process.on('warning', hear)
    onTestFinished(() => void process.off('warning', hear))
    await using client = await Redisson.create({ ...server.options(), password: 'a-word' })
    for (const name of ['one', 'two']) {
      const set = client.getScoredSortedSet<string>(name)
      const taken = set.takeFirst() // over connections that speak the older version of the protocol, in which Redis says so
      await set.add(1, 'a')
      await taken
    }
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).not.toContain('a-word')
    expectSilence()
  })
})
