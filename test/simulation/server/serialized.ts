import type { Entry, TypeName, Values } from './database.js'
import type { Bytes } from './reply.js'
import { SortedSet } from './sorted-set.js'
import { plainStream, streamOf, type PlainStream } from './streams/plain-stream.js'
import { Stream } from './streams/stream.js'

/** Marks what this server has written. Its payloads are no RDB, and no other server reads them. */
const MARK = 'simulated:'

/** What a key holds, as JSON has it. */
type Plain = Bytes | Bytes[] | [Bytes, Bytes][] | PlainStream

type Content = Pick<Entry, 'type' | 'value'>

/** What `DUMP` returns for a key. */
export function serialized({ type, value }: Content): Bytes {
  return marked(JSON.stringify([type, plainOf(value)]))
}

/** Text in JSON as a payload, whose damage can be seen. */
export function marked(json: string): Bytes {
  const body = json.replaceAll(/[\u0080-\u00ff]/g, escaped)
  return `${MARK}${body}${checksumOf(body)}`
}

/** The text of such a payload; undefined if it is none, or is damaged. */
export function unmarked(payload: Bytes): string | undefined {
  const [mark, body, checksum] = [
    payload.slice(0, MARK.length),
    payload.slice(MARK.length, -8),
    payload.slice(-8),
  ]
  return mark === MARK && checksum === checksumOf(body) ? body : undefined
}

/** Reads what `DUMP` has returned. */
export function restored(payload: Bytes): Content | undefined {
  const body = unmarked(payload)
  if (body === undefined) return undefined
  const [type, plain] = JSON.parse(body) as [TypeName, Plain]
  return { type, value: valueOf(type, plain) }
}

/** A copy of an entry that shares nothing with it. */
export function copyOf(entry: Entry): Entry {
  return { ...entry, ...(restored(serialized(entry)) as Content) }
}

function scoresOf({ ranked }: SortedSet): readonly unknown[] {
  return ranked.map(({ member, score }) => [member, String(score)])
}

function plainOf(value: Values[TypeName]): unknown {
  if (value instanceof SortedSet) return scoresOf(value)
  if (value instanceof Stream) return plainStream(value)
  return typeof value === 'string' ? value : [...value]
}

function valueOf(type: TypeName, plain: Plain): Values[TypeName] {
  if (typeof plain === 'string') return plain
  if (type === 'hash') return new Map(plain as [Bytes, Bytes][])
  if (type === 'set') return new Set(plain as Bytes[])
  if (type === 'list') return plain as Bytes[]
  if (type === 'stream') return streamOf(plain as PlainStream)
  const set = new SortedSet()
  for (const [member, score] of plain as [Bytes, Bytes][]) set.set(member, Number(score))
  return set
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Eight digits that tell a damaged payload (FNV-1a). */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
