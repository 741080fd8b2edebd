import type { Reply } from '../../reply.js'
import { idText } from '../../streams/entry-id.js'
import type { StreamEntry } from '../../streams/stream.js'

/** An entry as clients get it. */
export function shownEntry({ id, fields }: StreamEntry): Reply {
  return [idText(id), fields]
}
