import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { Monitor } from '../../support/monitor.js'
import type { InteropFixture } from '../interop-fixture.js'
import { takeOn } from '../measure.js'
import {
  fairLock,
  fencedLock,
  permitsOf,
  plainLock,
  readLock,
  semaphoreOf,
  writeLock,
  type SideName,
  type Thing,
} from '../sides.js'

const things: readonly Thing[] = [
  plainLock,
  fairLock,
  fencedLock,
  writeLock,
  readLock,
  semaphoreOf(2),
  permitsOf(2),
]

/** What a third party would see, which cannot tell one side from the other. */
export function wireOnBothSides(bench: InteropFixture): void {
  describe.each(things)('$what', (thing) => {
    it.each(['shared', '{tag}:shared'])(
      'called %s looks the same in Redis, whichever side has it',
      async (name) => {
        const seen = async (side: SideName) => {
          await using monitor = await Monitor.of(bench.topology.nodes)
          await thing.create(bench.node[0], name)
          const give = await takeOn(bench, side, thing, name)
          const keys = await keysOf(bench, name)
          await give()
          const afterwards = await keysOf(bench, name)
          await thing.remove(bench.node[0], name)
          for (const key of Object.keys(afterwards)) await askOwner(bench.topology, key, 'DEL')
          return { keys, afterwards, published: await monitor.published() }
        }
        expect(await seen('Java')).toEqual(await seen('Node'))
      },
    )
  })
}

const OWNER = /[0-9a-f]{8}-[0-9a-f-]{27}:\d+/g

/** How each type of key is read. Members of sorted sets may be binary, so they are counted. */
const READ = {
  hash: ['HGETALL'],
  string: ['GET'],
  list: ['LRANGE', 0, -1],
  zset: ['ZCARD'],
} as const

/** All keys that a name has to do with, and what they are, with owners by the same name. */
async function keysOf({ topology }: InteropFixture, name: string): Promise<Record<string, string>> {
  const found = await Promise.all(topology.nodes.map((node) => node.command('KEYS', `*${name}*`)))
  const facts: Record<string, string> = {}
  for (const key of new Set(found.flat() as string[])) {
    const type = (await askOwner(topology, key, 'TYPE')) as keyof typeof READ | 'none'
    if (/^redisson_(unlock_latch|_once):/.test(key) || type === 'none') continue
    const [command, ...args] = READ[type]
    const content = JSON.stringify(await askOwner(topology, key, command, ...args))
    facts[key.replaceAll(OWNER, 'OWNER')] = `${type} ${content.replaceAll(OWNER, 'OWNER')}`
  }
  return facts
}
