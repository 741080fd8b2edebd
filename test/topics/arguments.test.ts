import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { single } from '../support/topologies.js'

describe('topics refuse', () => {
  let client: RedissonClient

  beforeAll(async () => {
    client = await Redisson.create(single.options())
  })

  afterAll(async () => {
    await client.shutdown()
  })

  const get = {
    topic: (...args: unknown[]) => client.getTopic(...(args as [string])),
    'sharded topic': (...args: unknown[]) => client.getShardedTopic(...(args as [string])),
    'pattern topic': (...args: unknown[]) => client.getPatternTopic(...(args as [string])),
  }

  describe.each(Object.entries(get))('of a %s', (what, getter) => {
    it.each([[''], [1], ['\ud800'], ['a', { codecs: 1 }], ['a', { codec: {} }], ['a', {}, 1], ['a', null]])(
      'the arguments %j, %j',
      (...args) => {
        expect(() => getter(...args)).toThrow(TypeError)
      },
    )

    it('exactlyOnce where it makes no sense', () => {
      const given = what === 'pattern topic' ? true : 1
      expect(() => getter('a', { exactlyOnce: given })).toThrow(TypeError)
    })

    it('listeners and options that are none', async () => {
      const topic = getter('a')
      const listen = (...args: unknown[]) => topic.addListener(...(args as [() => void]))
      await expect(listen({})).rejects.toThrow('`listener` to be a function')
      await expect(listen(() => 1, { buffer: 1 })).rejects.toThrow(TypeError)
      await expect(listen(() => 1, { signal: {} })).rejects.toThrow(TypeError)
      await expect(listen(() => 1, {}, 1)).rejects.toThrow(TypeError)
      await expect(topic.removeListener(1 as never)).rejects.toThrow(TypeError)
      expect(topic.countListeners()).toBe(0)
    })

    it.each<[object, typeof Error]>([
      [{ buffer: 0 }, RangeError],
      [{ buffer: 1.5 }, RangeError],
      [{ overflow: 'drop' }, RangeError],
      [{ onGap: 1 }, TypeError],
      [{ signal: 1 }, TypeError],
      [{ size: 1 }, TypeError],
    ])('to iterate with %j', (options, kind) => {
      expect(() => getter('a').messages(options as never)).toThrow(kind)
    })
  })

  it('messages that are none', async () => {
    await expect(client.getTopic('a').publish(undefined)).rejects.toThrow(TypeError)
    await expect(client.getTopic('a').publish(() => 1)).rejects.toMatchObject({
      code: 'CODEC',
      mayHaveRun: false,
    })
    const publish = (...args: unknown[]) => client.getTopic('a').publish(...(args as [unknown]))
    await expect(publish(1, 2)).rejects.toThrow(TypeError)
  })
})
