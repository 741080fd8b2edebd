import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CommandExecutor } from '../../../src/command/operation/command-executor.js'
import {
  TopicRequests,
  type Asker,
  type Outcome,
  type Question,
} from '../../../src/topics/reliable-topic/topic-requests.js'

const keys = { stream: 'topic', timeouts: '{topic}:timeout' }

/** The values of one subscriber in a request. */
const WIDTH = 7

/** Holds requests until the test replies. */
class Server {
  readonly requests: { script: string; names: string[]; reply: PromiseWithResolvers<unknown> }[] = []
  readonly executor = { run: this.#run.bind(this) } as unknown as CommandExecutor

  #run({ name: script }: { name: string }, { args }: { args: { rows: string[] } }): Promise<unknown> {
    const reply = Promise.withResolvers<unknown>()
    this.requests.push({ script, names: args.rows.filter((_, at) => at % WIDTH === 0), reply })
    return reply.promise
  }

  /** Replies to the last request that there is no message. */
  async replyNone(): Promise<void> {
    const last = this.requests.at(-1)
    last?.reply.resolve([last.names.flatMap(() => [1, '0-0', 0, 0]), []])
    await nextTurn()
  }
}

class Subscriber implements Asker {
  readonly outcomes: (Outcome | Error)[] = []
  readonly name: string
  readonly #count: number | 'nothing'

  /** @param count - how many messages it asks for */
  constructor(name: string, count: number | 'nothing' = 100) {
    this.name = name
    this.#count = count
  }

  question(): Question | undefined {
    if (this.#count === 'nothing') return undefined
    const nothing = { lease: '', expected: '', upTo: '', known: '', calls: 0 } as const
    return { name: this.name, count: this.#count, ...nothing }
  }

  received(outcome: Outcome): void {
    this.outcomes.push(outcome)
  }

  failed(error: Error): void {
    this.outcomes.push(error)
  }
}

describe('the requests of the subscribers of a topic', () => {
  const begin = () => {
    const server = new Server()
    return { server, requests: new TopicRequests(server.executor, keys) }
  }
  const names = ({ requests }: Server) => requests.map((request) => request.names)

  it('are one for all who ask in one turn of the event loop, and for each only once', async () => {
    const { server, requests } = begin()
    const [a, b] = [new Subscriber('a'), new Subscriber('b')]
    const joined = Promise.all([requests.join(a), requests.join(b), requests.join(a)])
    await nextTurn()
    expect(names(server)).toEqual([['a', 'b']])
    await server.replyNone()
    await joined
    expect([a.outcomes.length, b.outcomes.length]).toEqual([1, 1])
    expect(server.requests).toHaveLength(1)
  })

  it('are one at a time: who asks meanwhile, does so with the next', async () => {
    const { server, requests } = begin()
    const [a, b, c] = [new Subscriber('a'), new Subscriber('b'), new Subscriber('c')]
    void requests.join(a)
    await nextTurn()
    for (const each of [b, a, c]) {
      void requests.join(each)
      await nextTurn()
    }
    expect(names(server)).toEqual([['a']])
    await server.replyNone()
    expect(names(server)).toEqual([['a'], ['b', 'a', 'c']])
  })

  it('are for no more than 500 subscribers each', async () => {
    const { server, requests } = begin()
    const all = Array.from({ length: 1_001 }, (_, n) => new Subscriber(String(n)))
    const joined = Promise.all(all.map((each) => requests.join(each)))
    await nextTurn()
    for (let reply = 0; reply < 3; reply += 1) await server.replyNone()
    await joined
    expect(server.requests.map((request) => request.names.length)).toEqual([500, 500, 1])
    expect(all.every(({ outcomes }) => outcomes.length === 1)).toBe(true)
  })

  it('may be repeated if all only acknowledge, and are not sent for who asks for nothing', async () => {
    const { server, requests } = begin()
    await requests.join(new Subscriber('idle', 'nothing'))
    expect(server.requests).toEqual([])
    for (const counts of [
      [0, 0],
      [0, 1],
    ]) {
      for (const count of counts) void requests.join(new Subscriber('a', count))
      await nextTurn()
      await server.replyNone()
    }
    expect(server.requests.map(({ script }) => script)).toEqual([
      'reliable-topic/acknowledge',
      'reliable-topic/next',
    ])
  })

  it('hand an error to all who have asked, and go on', async () => {
    const { server, requests } = begin()
    const [a, b] = [new Subscriber('a'), new Subscriber('b')]
    const joined = Promise.all([requests.join(a), requests.join(b)])
    await nextTurn()
    const error = new Error('lost')
    server.requests[0]?.reply.reject(error)
    await joined
    expect([a.outcomes, b.outcomes]).toEqual([[error], [error]])
    void requests.join(a)
    await nextTurn()
    expect(names(server)).toEqual([['a', 'b'], ['a']])
  })
})
