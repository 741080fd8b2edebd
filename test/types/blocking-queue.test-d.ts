import { describe, expectTypeOf, it } from 'vitest'
import type {
  ElementSubscription,
  RBatch,
  RBlockingDeque,
  RBlockingQueue,
  RDeque,
  RedissonClient,
  RQueue,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a blocking queue', () => {
  it('have unknown values, by default, and are those of a queue', () => {
    expectTypeOf(client.getBlockingQueue('x')).toEqualTypeOf<RBlockingQueue<unknown>>()
    expectTypeOf(client.getBlockingQueue<string>('x')).toExtend<RQueue<string>>()
    expectTypeOf(client.getBlockingDeque<string>('x')).toExtend<RDeque<string>>()
    expectTypeOf(client.getBlockingDeque<string>('x')).toExtend<RBlockingQueue<string>>()
    expectTypeOf(batch.getBlockingDeque<string>('x')).toEqualTypeOf<RBlockingDeque<string>>()
  })

  it('tell one element from several, and what may be absent', async () => {
    const queue = client.getBlockingDeque<string>('x')
    expectTypeOf(queue.take()).resolves.toEqualTypeOf<string>()
    expectTypeOf(queue.poll()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.poll({ waitMs: 1 })).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.poll(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.pollLast(2, { waitMs: 1 })).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.pollFromAny(['a'])).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.pollFromAnyWithName(['a'])).resolves.toEqualTypeOf<[string, string] | undefined>()
    expectTypeOf(queue.pollFirstFromAny(['a'])).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.pollFirstFromAny(['a'], 2)).resolves.toEqualTypeOf<Map<string, string[]>>()
    expectTypeOf(queue.move({ to: 'a', waitMs: 1 })).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.move({ poll: 'last', addFirstTo: 'a', waitMs: 1 })).resolves.toEqualTypeOf<
      string | undefined
    >()
    expectTypeOf(queue.subscribeOnElements((value) => value.length)).toEqualTypeOf<ElementSubscription>()
    for await (const element of queue) expectTypeOf(element).toEqualTypeOf<string>()
    for await (const element of queue.consume()) expectTypeOf(element).toEqualTypeOf<string>()
  })

  it('refuse what makes no sense', () => {
    const queue = client.getBlockingQueue<string>('x')
    // @ts-expect-error: a take has no end of its own
    void queue.take({ waitMs: 1 })
    // @ts-expect-error: a text would be its letters
    void queue.pollFromAny('abc')
    expectTypeOf(queue).not.toHaveProperty('takeLast')
    // @ts-expect-error: a single value is added
    void queue.put('a', 'b')
    // @ts-expect-error: a number may be a timeout in any unit
    void queue.poll(1, 2)
    // @ts-expect-error: only errors are reported
    queue.subscribeOnElements(() => 1).on('gap', () => undefined)
  })
})
