import type { Channel } from '../connection.js'

/** Listens at one node. */
export interface NodeSubscriber {
  /** Whether Redis can be asked for channels now. */
  readonly isReady: boolean
  subscribe(channel: Channel): void
  unsubscribe(channel: Channel): void
  /** What Redis had against a channel, if that was its last word. */
  refusalOf(channel: Channel): Error | undefined
  /** Asks again for what the node has dropped on its own. */
  renew?(): void
  /** Connects once more if it leads to another address. */
  follow(address: string): void
  close(): Promise<void>
}
