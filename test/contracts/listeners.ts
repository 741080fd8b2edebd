import type { RedissonClient } from '../../src/index.js'

/** What listens to something, and is called twice. */
export interface Listening {
  readonly client: RedissonClient
  /** The name of the object. */
  readonly name: string
  readonly listener: () => unknown
  /** Resolves when the listener has been called twice. */
  readonly done: Promise<unknown>
}

/** The objects that call a listener of the program with what comes, and how each is made to do so twice. */
export const listeners: readonly (readonly [
  what: string,
  listen: (listening: Listening) => Promise<void>,
])[] = [
  [
    'process() of a reliable queue',
    async ({ client, name, listener, done }) => {
      const queue = client.getReliableQueue(name)
      await using _worker = queue.process(listener)
      await queue.offerAll(['a', 'b'])
      await done
    },
  ],
  [
    'subscribeOnElements() of a blocking queue',
    async ({ client, name, listener, done }) => {
      const queue = client.getBlockingQueue(name)
      await using _subscription = queue.subscribeOnElements(listener)
      await queue.addAll(['a', 'b'])
      await done
    },
  ],
  [
    'addListener() of a reliable topic',
    async ({ client, name, listener, done }) => {
      const topic = client.getReliableTopic(name)
      await using _subscription = await topic.addListener(listener)
      for (const message of ['a', 'b']) await topic.publish(message)
      await done
    },
  ],
  [
    'addListener() of a topic',
    async ({ client, name, listener, done }) => {
      const topic = client.getTopic(name)
      await using _subscription = await topic.addListener(listener)
      for (const message of ['a', 'b']) await topic.publish(message)
      await done
    },
  ],
]
