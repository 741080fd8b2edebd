import type { Bytes } from '../reply.js'
import { FIRST_ID, idOf, LAST_ID, millisecondsOf, type EntryId } from './entry-id.js'
import { StreamGroup } from './stream-group.js'

export interface StreamEntry {
  readonly id: EntryId
  /** Names and values, one after the other. */
  readonly fields: readonly Bytes[]
}

/** Entries that are stored together. Trimming by `~` removes only whole nodes. */
export interface StreamNode {
  /** Those that are left. */
  readonly entries: StreamEntry[]
  /** How many were removed one by one. */
  removed: number
  /** The last one that it ever had. */
  lastId: EntryId
}

/** Which entries a stream is to lose, from its front. */
export interface Trimming {
  readonly isApproximate: boolean
  /** How many entries are removed at most; any number if it is 0. */
  readonly limit: number
  /** Whether a stream of this length is short enough. */
  readonly isDone: (length: number) => boolean
  /** Whether a whole node goes. */
  readonly removesNode: (node: StreamNode, length: number) => boolean
  /** Whether an entry goes. */
  readonly removes: (entry: StreamEntry, length: number) => boolean
}

/** What the id of a new entry is to be: that, or the next one of its millisecond, or the next one of all. */
export interface WantedId {
  readonly id: EntryId | undefined
  readonly hasSequence: boolean
}

/** As many entries are in one node. Redis also limits its bytes. */
const NODE_SIZE = 100

/** Entries in the order of their ids, and groups of consumers. */
export class Stream {
  /** The last id that was ever given. */
  lastId: EntryId = FIRST_ID
  /** The highest id of an entry that `XDEL` has removed. */
  maxDeletedId: EntryId = FIRST_ID
  /** How many entries were ever added. */
  entriesAdded = 0n
  readonly #nodes: StreamNode[] = []
  readonly #groups = new Map<Bytes, StreamGroup>()
  #length = 0

  get length(): number {
    return this.#length
  }

  get nodes(): readonly StreamNode[] {
    return this.#nodes
  }

  get entries(): readonly StreamEntry[] {
    return this.#nodes.flatMap(({ entries }) => entries)
  }

  /** The id of the first entry; the lowest of all if there is none. */
  get firstId(): EntryId {
    return this.entries[0]?.id ?? FIRST_ID
  }

  /** All groups with their names, in the order of these. */
  get groups(): readonly (readonly [Bytes, StreamGroup])[] {
    return [...this.#groups].sort(([one], [other]) => (one < other ? -1 : 1))
  }

  group(name: Bytes): StreamGroup | undefined {
    return this.#groups.get(name)
  }

  createGroup(name: Bytes, lastId: EntryId, entriesRead?: bigint): StreamGroup {
    const group = new StreamGroup(lastId, entriesRead)
    this.#groups.set(name, group)
    return group
  }

  destroyGroup(name: Bytes): boolean {
    return this.#groups.delete(name)
  }

  find(id: EntryId): StreamEntry | undefined {
    return this.#nodeOf(id)?.entries.find((entry) => entry.id === id)
  }

  /** The entries between two ids, including these. */
  within(from: EntryId, to: EntryId = LAST_ID): readonly StreamEntry[] {
    return this.entries.filter(({ id }) => id >= from && id <= to)
  }

  /** The id of a new entry. It may not be above the last one, and then no entry can have it. */
  nextId({ id, hasSequence }: WantedId, now: number): EntryId {
    if (id === undefined) {
      const ofNow = idOf(BigInt(now), 0n)
      return millisecondsOf(this.lastId) < BigInt(now) ? ofNow : this.lastId + 1n
    }
    return hasSequence || millisecondsOf(id) !== millisecondsOf(this.lastId) ? id : this.lastId + 1n
  }

  add(id: EntryId, fields: readonly Bytes[]): void {
    const node = this.#openNode()
    node.entries.push({ id, fields })
    node.lastId = id
    this.lastId = id
    this.entriesAdded += 1n
    this.#length += 1
  }

  /** Appends a node of a stream that is copied. */
  addNode(node: StreamNode): void {
    this.#nodes.push(node)
    this.#length += node.entries.length
  }

  delete(id: EntryId): boolean {
    const node = this.#nodeOf(id)
    const place = node?.entries.findIndex((entry) => entry.id === id) ?? -1
    if (node === undefined || place < 0) return false
    node.entries.splice(place, 1)
    node.removed += 1
    this.#length -= 1
    if (node.entries.length === 0) this.#nodes.splice(this.#nodes.indexOf(node), 1)
    if (id > this.maxDeletedId) this.maxDeletedId = id
    return true
  }

  /** Removes entries from the front. Returns how many. */
  trim(trimming: Trimming): number {
    const before = this.#length
    for (const node of [...this.#nodes]) {
      const removed = before - this.#length + node.entries.length
      if (trimming.isDone(this.#length) || (trimming.limit > 0 && removed > trimming.limit)) break
      if (!trimming.removesNode(node, this.#length)) {
        if (!trimming.isApproximate) this.#trimNode(node, trimming)
        break
      }
      this.#nodes.shift()
      this.#length -= node.entries.length
    }
    return before - this.#length
  }

  #trimNode(node: StreamNode, { removes }: Trimming): void {
    for (let [entry] = node.entries; entry && removes(entry, this.#length); [entry] = node.entries) {
      node.entries.shift()
      node.removed += 1
      this.#length -= 1
    }
  }

  #openNode(): StreamNode {
    const last = this.#nodes.at(-1)
    if (last && last.entries.length + last.removed < NODE_SIZE) return last
    const node: StreamNode = { entries: [], removed: 0, lastId: FIRST_ID }
    this.#nodes.push(node)
    return node
  }

  #nodeOf(id: EntryId): StreamNode | undefined {
    return this.#nodes.find(({ lastId }) => lastId >= id)
  }
}
