import { Refusal, Status, type Bytes, type Reply } from './reply.js'

/** Writes a reply in RESP2. */
export function written(reply: Reply): Bytes {
  if (typeof reply === 'string') return `$${String(reply.length)}\r\n${reply}\r\n`
  if (typeof reply === 'number' || typeof reply === 'bigint') return `:${String(reply)}\r\n`
  if (reply === null) return '$-1\r\n'
  if (reply instanceof Status) return `+${reply.text}\r\n`
  if (reply instanceof Refusal) return `-${reply.text}\r\n`
  return `*${String(reply.length)}\r\n${reply.map(written).join('')}`
}

/** A client has sent something that is no command. */
export class ProtocolError extends Error {}

/** Parses commands, which may arrive in pieces of any size. */
export class RequestReader {
  #rest = ''

  /**
   * Takes a piece, and returns the commands that are whole.
   *
   * @throws ProtocolError if it is no list of strings
   */
  read(piece: Bytes): readonly (readonly Bytes[])[] {
    this.#rest += piece
    const commands: (readonly Bytes[])[] = []
    let at = 0
    for (;;) {
      const found = commandAt(this.#rest, at)
      if (found === undefined) break
      commands.push(found.words)
      at = found.end
    }
    this.#rest = this.#rest.slice(at)
    return commands
  }
}

interface Found {
  readonly words: readonly Bytes[]
  readonly end: number
}

function commandAt(text: Bytes, start: number): Found | undefined {
  if (start >= text.length) return undefined
  const head = headAt(text, start, '*')
  if (head === undefined) return undefined
  const words: Bytes[] = []
  let at = head.end
  for (let n = 0; n < head.count; n += 1) {
    const length = headAt(text, at, '$')
    if (length === undefined || text.length < length.end + length.count + 2) return undefined
    words.push(text.slice(length.end, length.end + length.count))
    at = length.end + length.count + 2
  }
  return { words, end: at }
}

/** Reads a line such as `*3`. */
function headAt(
  text: Bytes,
  at: number,
  mark: string,
): { readonly count: number; readonly end: number } | undefined {
  const end = text.indexOf('\r\n', at)
  if (end < 0) return undefined
  if (text[at] !== mark) throw new ProtocolError(`Expected '${mark}', got '${text[at] ?? ''}'`)
  return { count: Number(text.slice(at + 1, end)), end: end + 2 }
}
