import { Refusal, Status, type Bytes, type Reply } from '../server/reply.js'

/** Writes a command as clients do. */
export function requestOf(words: readonly Bytes[]): Bytes {
  return `*${String(words.length)}\r\n${words.map((word) => `$${String(word.length)}\r\n${word}\r\n`).join('')}`
}

/** Parses replies in RESP2, which may arrive in pieces of any size. */
export class ReplyReader {
  #rest: Bytes = ''

  /** Takes a piece, and returns the replies that are complete. */
  read(piece: Bytes): readonly Reply[] {
    this.#rest += piece
    const replies: Reply[] = []
    let at = 0
    for (let found = replyAt(this.#rest, at); found; found = replyAt(this.#rest, at)) {
      replies.push(found.reply)
      at = found.end
    }
    this.#rest = this.#rest.slice(at)
    return replies
  }
}

interface Found {
  readonly reply: Reply
  readonly end: number
}

/** Reads the reply that begins at a place, if all of it is there. */
function replyAt(text: Bytes, start: number): Found | undefined {
  const lineEnd = text.indexOf('\r\n', start)
  if (lineEnd < 0) return undefined
  const line = text.slice(start + 1, lineEnd)
  const end = lineEnd + 2
  switch (text[start]) {
    case '+':
      return { reply: new Status(line), end }
    case '-':
      return { reply: new Refusal(line), end }
    case ':':
      return { reply: integerOf(line), end }
    case '$':
      return bulkAt(text, end, Number(line))
    case '*':
      return listAt(text, end, Number(line))
    default:
      throw new Error(`Expected a reply in RESP2, got ${JSON.stringify(line)}`)
  }
}

function integerOf(line: string): number | bigint {
  const number = Number(line)
  return Number.isSafeInteger(number) ? number : BigInt(line)
}

function bulkAt(text: Bytes, start: number, length: number): Found | undefined {
  if (length < 0) return { reply: null, end: start }
  const end = start + length + 2
  return text.length < end ? undefined : { reply: text.slice(start, start + length), end }
}

function listAt(text: Bytes, start: number, length: number): Found | undefined {
  if (length < 0) return { reply: null, end: start }
  const replies: Reply[] = []
  let end = start
  while (replies.length < length) {
    const found = replyAt(text, end)
    if (found === undefined) return undefined
    replies.push(found.reply)
    end = found.end
  }
  return { reply: replies, end }
}
