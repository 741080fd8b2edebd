import type { RedissonOptions, RLock } from '../../../src/index.js'
import { startChild, type Child, type ChildMessage } from '../../support/child.js'
import type { KindName } from '../fixtures/kinds.js'

const program = new URL('../fixtures/lock-user.ts', import.meta.url)

/** Another process that uses locks. */
export class LockUser implements AsyncDisposable {
  /** The id of its client. */
  readonly clientId: string
  readonly #child: Child

  private constructor(child: Child, clientId: string) {
    this.#child = child
    this.clientId = clientId
  }

  static async start(options: RedissonOptions, kind: KindName): Promise<LockUser> {
    const child = startChild(program, { args: [JSON.stringify(options), kind] })
    const { clientId } = await child.hear('ready')
    return new LockUser(child, String(clientId))
  }

  /** Has a method called there; resolves with what it tells of the outcome. */
  async call(lock: string, method: keyof RLock, ...args: readonly unknown[]): Promise<ChildMessage> {
    this.#child.tell('call', { lock, method, args })
    return this.#child.hear('outcome')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.kill()
  }
}
