import { describe, expectTypeOf, it } from 'vitest'
import { bytesCodec, type RBatch, type RDeque, type RedissonClient, type RQueue } from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a queue', () => {
  it('have unknown values, by default, or those of the codec', () => {
    expectTypeOf(client.getQueue('x')).toEqualTypeOf<RQueue<unknown>>()
    expectTypeOf(client.getQueue<string>('x')).toEqualTypeOf<RQueue<string>>()
    expectTypeOf(client.getQueue('x', { codec: bytesCodec() })).toExtend<RQueue<Uint8Array>>()
    expectTypeOf(client.withSignal(AbortSignal.timeout(1)).getQueue<string>('x')).toEqualTypeOf<
      RQueue<string>
    >()
  })

  it('tell one element from several, and what may be absent', async () => {
    const queue = client.getQueue<string>('x')
    expectTypeOf(queue.poll()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.poll(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.peek()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.element()).resolves.toEqualTypeOf<string>()
    for await (const element of queue) expectTypeOf(element).toEqualTypeOf<string>()
    // @ts-expect-error: undefined is no value
    void queue.add(undefined)
    // @ts-expect-error: a text would be its letters
    void queue.addAll('a', 'b')
  })

  it('tell the removal of the head from that of a value', () => {
    const queue = client.getQueue<string>('x')
    expectTypeOf(queue.remove()).resolves.toEqualTypeOf<string>()
    expectTypeOf(queue.remove('a')).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: undefined is no value
    void queue.remove(undefined)
    // @ts-expect-error: it removes one element
    void queue.remove('a', 2)
  })

  it('tell a move to a queue from one to a database', () => {
    const queue = client.getQueue<string>('x')
    expectTypeOf(queue.move(1)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(queue.move({ to: 'y', count: 2, exactly: true })).resolves.toEqualTypeOf<string[]>()
    // @ts-expect-error: it has to be said where
    void queue.move({ count: 2 })
    // @ts-expect-error: only a deque has two ends
    void queue.move({ poll: 'first', addLastTo: 'y' })
  })

  it('have the events of lists', () => {
    void client.getQueue('x').addListener('removed', (name) => name.length)
    // @ts-expect-error: that is an event of maps
    void client.getQueue('x').addListener('put', (name) => name.length)
  })
})

describe('the types of a deque', () => {
  it('are those of a queue, and more', () => {
    expectTypeOf(client.getDeque('x')).toEqualTypeOf<RDeque<unknown>>()
    expectTypeOf(batch.getDeque<string>('x')).toEqualTypeOf<RDeque<string>>()
    expectTypeOf(client.getDeque<string>('x')).toExtend<RQueue<string>>()
    expectTypeOf(client.getDeque('x', { codec: bytesCodec() })).toExtend<RDeque<Uint8Array>>()
  })

  it('tell one element from several, and what may be absent', async () => {
    const deque = client.getDeque<string>('x')
    expectTypeOf(deque.pollFirst()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(deque.pollLast(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(deque.peekLast()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(deque.getLast()).resolves.toEqualTypeOf<string>()
    expectTypeOf(deque.removeLast()).resolves.toEqualTypeOf<string>()
    expectTypeOf(deque.addFirst('a', 'b')).resolves.toEqualTypeOf<number>()
    expectTypeOf(deque.push('a')).resolves.toEqualTypeOf<void>()
    for await (const element of deque.descendingIterator()) expectTypeOf(element).toEqualTypeOf<string>()
    // @ts-expect-error: undefined is no value
    void deque.addLast('a', undefined)
  })

  it('tell the ways to move', () => {
    const deque = client.getDeque<string>('x')
    expectTypeOf(deque.move(1)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(deque.move({ to: 'y' })).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(deque.move({ poll: 'last', addFirstTo: 'y' })).resolves.toEqualTypeOf<string | undefined>()
    // @ts-expect-error: an end of this deque, and one of the other
    void deque.move({ addFirstTo: 'y' })
    // @ts-expect-error: the ends have names
    void deque.move({ poll: 'left', addFirstTo: 'y' })
  })
})
