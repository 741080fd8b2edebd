import type { WaitingMessage } from './reliable-queue.api.js'
import type { ValueCodec } from '../../collections/shared/value-codec.js'
import { inspectShort } from '../../util/inspect-short.js'
import type { StoredMessage } from './records.js'

/** A message that is read. Its value is read when it is asked for: one that cannot be read hides no other. */
export function readMessage<V>(
  { id, failures, facts, value }: StoredMessage,
  codec: ValueCodec<V>,
): WaitingMessage<V> {
  const { headers, priority, group } = facts
  return {
    id,
    headers,
    priority,
    group: group === '' ? undefined : group,
    failures,
    get value() {
      return codec.decode(value)
    },
  }
}

/** @throws TypeError for what is no id of a message */
export function demandId(id: unknown): void {
  if (typeof id === 'string' && /^\d{16}$/.test(id)) return
  throw new TypeError(`Expected the id of a message to be a text of 16 digits, got ${inspectShort(id)}`)
}
