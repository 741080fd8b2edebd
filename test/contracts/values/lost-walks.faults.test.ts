import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { leftToDeep } from '../../support/left-to-deep.js'
import { describeFaults, strike } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'
import { has, subjects } from '../subjects.js'
import { LARGE } from './lost-replies.js'

const TIMEOUT_MS = 200

const PAGE = 100

/** A collection that several walk through together. */
interface Walked {
  addAll(values: Iterable<unknown>): Promise<unknown>
  distributedIterator(options: { iteratorName: string; count?: number }): AsyncIterable<string>
}

const collections = Object.entries(subjects).filter(([, subject]) => has(subject, 'distributedIterator'))

/** Those whose walks are those of others. */
const ALIKE = new Set(['geo', 'setMultimapValues', 'listMultimapValues'])

for (const [kind, subject] of collections)
  describe(
    `a walk through ${kind} that several make, whose replies are lost`,
    leftToDeep(ALIKE.has(kind)),
    () => {
      const { make, free } = subject
      const of = (client: RedissonClient, name: string) => make(client, name) as unknown as Walked
      const fill = (name: string, values: readonly string[]) =>
        of(straight, name).addAll(has(subject, 'addScore') ? values.map((value) => [value, 0]) : values)
      const all = Array.from({ length: 1_000 }, (_, n) => String(n)).sort()
      let door: Proxied<SingleTopology<ServerNode>>
      let client: RedissonClient
      let straight: RedissonClient
      let names = 0

      beforeAll(async () => {
        door = await proxied(single)
        const settings = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }
        client = await Redisson.create(door.options(settings))
        straight = await Redisson.create(single.options())
      })

      afterEach(() => Promise.all(door.proxies.map((proxy) => proxy.heal())))

      afterAll(async () => {
        const left = (await single.nodes[0].command('KEYS', 'redisson__once:*')) as string[]
        await straight.getKeys().delete(...left)
        await Promise.all([client.shutdown(), straight.shutdown()])
        await door.stop()
      })

      describeFaults('where a page %s', TIMEOUT_MS, (...fault) => {
        it.each([0, 1, 4])('comes to each value once: page %i', async (page) => {
          const name = `lost-walk-${String(names++)}`
          await fill(name, all)
          const iteratorName = `${name}:iterator`
          const walked: string[] = []
          let struck: Promise<void> | undefined
          try {
            if (page === 0) ({ struck } = strike(door.proxies, iteratorName, fault))
            for await (const value of of(client, name).distributedIterator({ iteratorName, count: PAGE })) {
              walked.push(value)
              if (struck === undefined && walked.length > page * PAGE)
                ({ struck } = strike(door.proxies, iteratorName, fault))
            }
            expect(struck).toBeDefined()
            await struck
            expect(walked.toSorted()).toEqual(all)
            expect(await allOf(of(straight, name).distributedIterator({ iteratorName }))).toEqual([])
          } finally {
            await straight.getKeys().delete(iteratorName)
            await free?.(straight, name)
          }
        })

        it('comes to each value once, however large they are', async () => {
          const name = `lost-walk-${String(names++)}`
          const iteratorName = `${name}:iterator`
          const large = ['a', 'b', 'c'].map((each) => each + LARGE)
          await fill(name, large)
          const { struck } = strike(door.proxies, iteratorName, fault)
          const walked = await allOf(of(client, name).distributedIterator({ iteratorName }))
          await struck
          expect(walked.toSorted()).toEqual(large)
          await straight.getKeys().delete(iteratorName)
          await free?.(straight, name)
        })
      })
    },
  )
