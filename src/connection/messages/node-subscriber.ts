import type { Channel } from '../connection.js'

/** Listens at one node. */
export interface NodeSubscriber {
  /** Whether Redis can be asked for channels now. */
  readonly isReady: boolean
  subscribe(channel: Channel): void
  unsubscribe(channel: Channel): void
  /** Returns why Redis has refused a channel, if that was its last reply. */
  refusalOf(channel: Channel): Error | undefined
  /** Requests channels again that the node has dropped on its own. */
  renew?(): void
  /** Reconnects if it leads to another address. */
  follow(address: string): void
  close(): Promise<void>
}
