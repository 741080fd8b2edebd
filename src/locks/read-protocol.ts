import type { ObjectContext } from '../core/object-context.js'
import { waitUntil, type Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import type { Claim, Return, Won } from './lock-protocol.js'
import { acquireRead, releaseRead, reletRead, undoRead } from './read-write-lock.scripts.js'
import { ReadWriteProtocol, wakeAll, type Preference } from './read-write-protocol.js'

/** Who reads already lets nobody go first: a writer who waits would wait for it as well. */
const comesNewly = ({ inside }: Claim): boolean => !inside

/** The read side of a read-write lock on the wire. */
export class ReadProtocol extends ReadWriteProtocol {
  constructor(
    context: ObjectContext,
    lock: string,
    side: { readonly renewal: RenewalKind; readonly prefer: Preference },
  ) {
    super(context, lock, {
      mode: 'read',
      acquire: acquireRead,
      undo: undoRead,
      mindsWriters: comesNewly,
      ...side,
    })
  }

  fieldOf(owner: string): string {
    return owner
  }

  protected ownerOf(field: string): string {
    return field
  }

  release({ owner, holds, request, again }: Return): Promise<number> {
    const call = { keys: { ...this.keys, request }, args: { owner, holds, publish: this.publish } }
    return this.context.executor.run(releaseRead, call, { remember: holds === 0 || again })
  }

  async relet(owner: string, leaseMs: number): Promise<boolean> {
    const call = { keys: this.keys, args: { owner, leaseMs } }
    return (await this.context.executor.run(reletRead, call)) === 1
  }

  triesFirst(): boolean {
    return true
  }

  async wait({ deadline, signal }: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const seat = this.context.wakeUps.sit(this.keys.channel, wakeAll)
    const { subscriptionTimeoutMs } = this.context.config
    try {
      return await waitUntil(seat, { attempt, deadline, signal, subscriptionTimeoutMs })
    } finally {
      seat.leave()
    }
  }
}
