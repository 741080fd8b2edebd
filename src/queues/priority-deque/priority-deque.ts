import type { RPriorityDeque } from './priority-deque.api.js'
import { listPageFromBehind } from '../../collections/list/list-page.js'
import type { SortedValue } from '../../collections/sorted-set/sorted-set.api.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { walk } from '../../core/pages.js'
import { RedissonPriorityQueue } from '../priority-queue/priority-queue.js'

const ONE_COUNT = 'it has one count'
const ONE_ELEMENT = 'it removes one element'

/** How many elements a walk from behind reads by one request. */
const PAGE = 1_000

/** A priority queue of which both ends are used. */
export class RedissonPriorityDeque<V extends SortedValue>
  extends RedissonPriorityQueue<V>
  implements RPriorityDeque<V>
{
  static {
    refuseSurplus(this, {
      pollFirst: ONE_COUNT,
      pollLast: ONE_COUNT,
      removeFirstOccurrence: ONE_ELEMENT,
      removeLastOccurrence: ONE_ELEMENT,
    })
  }

  pollFirst(): Promise<V | undefined>
  pollFirst(count: number): Promise<V[]>
  async pollFirst(count?: number): Promise<V | undefined | V[]> {
    return await this.pollAt('first', count)
  }

  pollLast(): Promise<V | undefined>
  pollLast(count: number): Promise<V[]>
  async pollLast(count?: number): Promise<V | undefined | V[]> {
    return await this.pollAt('last', count)
  }

  async peekFirst(): Promise<V | undefined> {
    return await this.elementAt(0)
  }

  async peekLast(): Promise<V | undefined> {
    return await this.elementAt(-1)
  }

  async getFirst(): Promise<V> {
    return this.demanded(await this.peekFirst())
  }

  async getLast(): Promise<V> {
    return this.demanded(await this.peekLast())
  }

  async removeFirst(): Promise<V> {
    return this.demanded((await this.pollAt('first')) as V | undefined)
  }

  async removeLast(): Promise<V> {
    return this.demanded((await this.pollAt('last')) as V | undefined)
  }

  async pop(): Promise<V> {
    return await this.removeFirst()
  }

  async removeFirstOccurrence(value: V): Promise<boolean> {
    return await this.removeOneEqual('first', value)
  }

  async removeLastOccurrence(value: V): Promise<boolean> {
    return await this.removeOneEqual('last', value)
  }

  descendingIterator(): AsyncIterable<V> {
    return walk(
      (cursor) => listPageFromBehind(this.requests, { skipped: Number(cursor), count: PAGE }),
      (element) => this.valueCodec.decode(element),
      { onInvalid: 'throw', signal: undefined },
    )
  }
}
