import type { RedissonClient, RAtomicDouble } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'

/** A call of a counter that is 1 before. */
const calling = (
  what: string,
  call: (counter: RAtomicDouble) => Promise<unknown>,
  answer: unknown,
  after: number,
): CountingCall => ({
  what,
  prepare: (client, name) => client.getAtomicDouble(name).set(1),
  call: (client, name, exactlyOnce) => call(client.getAtomicDouble(name, { exactlyOnce })),
  answer,
  states: [1, after],
})

const calls: readonly CountingCall[] = [
  calling('getAndSet', (counter) => counter.getAndSet(0.5), 1, 0.5),
  calling('getAndDelete', (counter) => counter.getAndDelete(), 1, 0),
  calling('addAndGet', (counter) => counter.addAndGet(0.5), 1.5, 1.5),
  calling('getAndAdd', (counter) => counter.getAndAdd(0.5), 1, 1.5),
  calling('incrementAndGet', (counter) => counter.incrementAndGet(), 2, 2),
  calling(
    'incrementAndGet within bounds',
    (counter) => counter.incrementAndGet({ by: 2, upperBound: 9 }),
    3,
    3,
  ),
  calling(
    'incrementAndGet up to a bound',
    (counter) => counter.incrementAndGet({ by: 5, upperBound: 4, saturate: true }),
    4,
    4,
  ),
  calling('decrementAndGet', (counter) => counter.decrementAndGet(), 0, 0),
  calling('getAndIncrement', (counter) => counter.getAndIncrement(), 1, 2),
  calling('getAndDecrement', (counter) => counter.getAndDecrement(), 1, 0),
  calling('compareAndSet', (counter) => counter.compareAndSet(1, 7), true, 7),
  calling('setIfLess', (counter) => counter.setIfLess(2, 7), true, 7),
  calling('setIfGreater', (counter) => counter.setIfGreater(0, -7), true, -7),
  calling('compareAndDelete', (counter) => counter.compareAndDelete('==', 1), true, 0),
]

const look = (client: RedissonClient, name: string) => client.getAtomicDouble(name).get()

testLostReplies('an atomic double', calls, look)
