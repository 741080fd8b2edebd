import { describe, expect, it } from 'vitest'
import { startChild, type Child } from '../../support/child.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

const program = new URL('../fixtures/cache-user.ts', import.meta.url)
const CALLS = 50

describe('a cache of many processes', () => {
  noLeaks(single, { except: /fleet-/ })

  const start = async (name: string, processes: number, loadMs: number): Promise<Child[]> => {
    const args = [JSON.stringify(single.options()), name, String(CALLS), String(loadMs)]
    const children = Array.from({ length: processes }, () => startChild(program, { args }))
    await Promise.all(children.map((child) => child.hear('ready')))
    return children
  }
  const end = (children: readonly Child[]) => Promise.all(children.map((child) => child.kill()))

  const loadsOf = async (children: readonly Child[]) => {
    const done = await Promise.all(children.map((child) => child.hear('done')))
    expect(done.map(({ values }) => values)).toEqual(done.map(() => ['loaded']))
    return done.reduce((sum, { loads }) => sum + Number(loads), 0)
  }

  /** How many requests clients have sent; what scripts call is not among them. */
  const requests = async () => {
    const stats = String(await single.nodes[0].command('INFO', 'commandstats'))
    const sent = stats.matchAll(/^cmdstat_(?:evalsha|eval|mget|subscribe|unsubscribe):calls=(\d+)/gm)
    return [...sent].reduce((sum, [, calls]) => sum + Number(calls), 0)
  }

  it.each([3, 8])('loads once for 50 calls of each of %i processes', async (processes) => {
    const children = await start(`fleet-${String(processes)}`, processes, 300)
    try {
      for (const child of children) child.tell('go')
      expect(await loadsOf(children)).toBe(1)
    } finally {
      await end(children)
    }
  })

  it('sends fewer than 60 requests for a load by eight processes', { tags: ['timed'] }, async () => {
    const children = await start('fleet-counted', 8, 300)
    try {
      const before = await requests()
      for (const child of children) child.tell('go')
      await loadsOf(children)
      expect((await requests()) - before).toBeLessThan(60)
    } finally {
      await end(children)
    }
  })

  it('loads twice where the process that loads is killed, and no call hangs', async () => {
    const children = await start('fleet-killed', 3, 1000)
    try {
      for (const child of children) child.tell('go')
      const first = await Promise.race(children.map((child) => child.hear('loads').then(() => child)))
      await first.kill()
      expect(await loadsOf(children.filter((child) => child !== first))).toBe(1) // besides the one that died
    } finally {
      await end(children)
    }
  })
})
