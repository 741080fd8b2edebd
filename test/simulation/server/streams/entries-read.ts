import { FIRST_ID, type EntryId } from './entry-id.js'
import type { StreamGroup } from './stream-group.js'
import type { Stream } from './stream.js'

/** Takes note that a group has got an entry. How many it has read stays known as long as `XDEL` has removed none that follows. */
export function noteRead(stream: Stream, group: StreamGroup, id: EntryId): void {
  if (group.entriesRead !== undefined && !hasDeletedSince(stream, id)) group.entriesRead += 1n
  else group.entriesRead = entriesUpTo(stream, id)
  group.lastId = id
}

/** How many entries a group has not read yet; undefined if that is not known. */
export function lagOf(stream: Stream, group: StreamGroup): bigint | undefined {
  const { entriesAdded } = stream
  if (entriesAdded === 0n) return 0n
  const isKnown = group.entriesRead !== undefined && !hasDeletedSince(stream, group.lastId)
  const read = isKnown ? group.entriesRead : entriesUpTo(stream, group.lastId)
  return read === undefined ? undefined : entriesAdded - read
}

/** Whether an entry may be missing between an id and the end. */
function hasDeletedSince({ length, firstId, maxDeletedId }: Stream, id: EntryId): boolean {
  return length > 0 && maxDeletedId !== FIRST_ID && firstId <= maxDeletedId && id <= maxDeletedId
}

/** How many entries were ever added up to an id; undefined if that cannot be known. */
function entriesUpTo(stream: Stream, id: EntryId): bigint | undefined {
  const { entriesAdded, length, lastId, firstId, maxDeletedId } = stream
  if (entriesAdded === 0n) return 0n
  if (id === lastId || (length === 0 && id < lastId)) return entriesAdded
  if (id > firstId || (maxDeletedId !== FIRST_ID && maxDeletedId >= firstId)) return undefined
  const before = entriesAdded - BigInt(length)
  return id === firstId ? before + 1n : before
}
