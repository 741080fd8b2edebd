import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient, type RStream } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { noLeaks } from '../../support/no-leaks.js'
import { single } from '../../support/topologies.js'

/** More deliveries than any test needs. */
const MANY = 30

/** More words than Lua can pass to one command. */
const TOO_MANY_FIELDS = 5_000

describe('a consumer of messages that fail', () => {
  noLeaks(single)
  let client: RedissonClient
  let names = 0

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })

  afterAll(async () => {
    await client.shutdown()
  })

  /** A stream with messages that have the numbers from 0 on. */
  const withStream = async (
    count: number,
    use: (stream: RStream<string, unknown>, dead: RStream<string, unknown>) => Promise<void>,
  ) => {
    const name = `{consumed-again-${String(names++)}}`
    const stream = client.getStream(name)
    const dead = client.getStream(`${name}:dead`)
    try {
      for (let n = 0; n < count; n += 1) await stream.add({ n })
      await use(stream, dead)
    } finally {
      await stream.delete()
      await dead.delete()
    }
  }

  it.each([60_000, Infinity])(
    'receives new messages between those that fail each time (claimIdleMs: %d)',
    { tags: ['timed'] },
    async (claimIdleMs) => {
      await withStream(2, async (stream) => {
        let failures = 0
        let newest: unknown
        for await (const message of stream.consumer('g', { name: 'me', claimIdleMs })) {
          newest = message.fields.get('n')
          if (newest === 2 || failures === MANY) break
          failures += 1
          if (failures === 2) await stream.add({ n: 2 })
          await sleep(3) // what was given back before can be claimed by now
          await message.nack()
        }
        expect(newest).toBe(2)
      })
    },
  )

  it('delivers each message again when its own delay is over', { tags: ['timed'] }, async () => {
    await withStream(2, async (stream) => {
      const since = new Map<string, number>()
      const waited: number[] = []
      const abort = new AbortController()
      const timer = setTimeout(() => {
        abort.abort(new Error('too late'))
      }, 5_000)
      for await (const message of stream.consumer('g', { signal: abort.signal })) {
        const { id } = message
        const begin = since.get(id)
        if (begin === undefined) {
          since.set(id, performance.now())
          await message.nack({ delayMs: since.size * 200 })
          continue
        }
        waited.push(performance.now() - begin)
        await message.ack()
        if (waited.length === 2) break
      }
      clearTimeout(timer)
      expect(waited[0]).toBeGreaterThanOrEqual(190)
      expect(waited[1]).toBeGreaterThanOrEqual(390)
    })
  })

  it('delivers a message again as often as it is given back, where nothing is claimed', async () => {
    await withStream(1, async (stream) => {
      const deliveries: number[] = []
      const signal = AbortSignal.timeout(60_000)
      for await (const message of stream.consumer('g', { name: 'me', claimIdleMs: Infinity, signal })) {
        deliveries.push(message.deliveries)
        if (deliveries.length === 4) break
        await message.nack()
      }
      expect(deliveries).toEqual([1, 2, 3, 4])
    })
  })

  describe('which cannot be moved to the dead letter stream', () => {
    const goesOn = async (stream: RStream<string, unknown>, dead: RStream<string, unknown>) => {
      const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
      try {
        const options = { name: 'me', maxDeliveries: 1, deadLetter: dead }
        const [first] = await stream.range({ count: 1 })
        // what is given back, and what is found after a restart
        for (const n of [1, 2]) {
          await stream.add({ n })
          for await (const message of stream.consumer('g', options)) {
            if (message.id === first?.id) {
              await message.nack()
              continue
            }
            expect(message.fields.get('n')).toBe(n)
            await message.ack()
            break
          }
        }
        expect(await stream.listPending('g')).toMatchObject([{ id: first?.id, consumer: 'me' }])
        expect(warn.mock.calls.map(([, details]) => details)).toEqual([
          { code: 'REDISSON_DEAD_LETTER_FAILED' },
        ])
      } finally {
        warn.mockRestore()
      }
    }

    it('because it has too many fields: warns once, and goes on', async () => {
      await withStream(0, async (stream, dead) => {
        await stream.add(new Map(Array.from({ length: TOO_MANY_FIELDS }, (_, n) => [`f${String(n)}`, n])))
        await goesOn(stream, dead)
        expect(await dead.size()).toBe(0)
      })
    })

    it('because there is no stream at the key: warns once, and goes on', async () => {
      await withStream(1, async (stream, dead) => {
        await askOwner(single, dead.name, 'SET', 'no stream')
        await goesOn(stream, dead)
        await askOwner(single, dead.name, 'DEL')
      })
    })
  })
})
