/** Cuts a stream of bytes into whole requests, or whole replies, of the Redis protocol. */
export class FrameSplitter {
  #rest: Buffer = Buffer.alloc(0)

  /** Takes in what arrived; returns the frames that are complete now. */
  push(bytes: Buffer): Buffer[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const frames: Buffer[] = []
    let start = 0
    for (;;) {
      const end = endOfFrame(all, start)
      if (end === undefined) break
      frames.push(all.subarray(start, end))
      start = end
    }
    this.#rest = all.subarray(start)
    return frames
  }
}

/** The words of a request: the command and its arguments. */
export function wordsOf(request: Buffer): string[] {
  if (request[0] !== ARRAY) return request.toString().trim().split(' ') // typed by hand
  const words: string[] = []
  let at = endOfLine(request, 0) ?? request.length
  while (at < request.length) {
    const start = endOfLine(request, at) ?? request.length
    const end = start + numberAt(request, at)
    words.push(request.toString('utf8', start, end))
    at = end + LINE_END.length
  }
  return words
}

/** What a reply is, as far as a conversation is concerned. */
export type ReplyKind = 'answer' | 'error' | 'confirmation' | 'message'

/** Distinguishes replies to requests from what the server sends unasked. */
export function kindOf(reply: Buffer, { protocol }: { readonly protocol: 2 | 3 }): ReplyKind {
  const [type] = reply
  if (type === ERROR || type === BULK_ERROR) return 'error'
  if (type !== (protocol === 3 ? PUSH : ARRAY)) return 'answer'
  const [, topic = ''] = FIRST_WORD.exec(reply.toString('latin1', 0, LONGEST_START)) ?? []
  if (/^[ps]?(un)?subscribe$/.test(topic)) return 'confirmation'
  return protocol === 3 || /^[ps]?message$/.test(topic) ? 'message' : 'answer'
}

/** The word that a list of words begins with, and how many bytes of a reply are enough to find it. */
const FIRST_WORD = /^.\d+\r\n\$\d+\r\n(\w+)\r\n/
const LONGEST_START = 64

const LINE_END = '\r\n'
const ARRAY = code('*')
const SET = code('~')
const PUSH = code('>')
const MAP = code('%')
const ATTRIBUTES = code('|')
const BULK = code('$')
const VERBATIM = code('=')
const BULK_ERROR = code('!')
const ERROR = code('-')

function code(type: string): number {
  return type.charCodeAt(0)
}

/** Where the frame that starts at `start` ends; `undefined` while it is not complete. */
function endOfFrame(bytes: Buffer, start: number): number | undefined {
  const end = endOfLine(bytes, start)
  if (end === undefined) return undefined
  switch (bytes[start]) {
    case BULK:
    case VERBATIM:
    case BULK_ERROR:
      return within(bytes, bulkEnd(end, numberAt(bytes, start)))
    case ARRAY:
    case SET:
    case PUSH:
      return endOfFrames(bytes, end, numberAt(bytes, start))
    case MAP:
      return endOfFrames(bytes, end, 2 * numberAt(bytes, start))
    case ATTRIBUTES:
      return endOfFrames(bytes, end, 2 * numberAt(bytes, start) + 1) // they belong to the frame that follows
    default:
      return end
  }
}

function endOfFrames(bytes: Buffer, start: number, count: number): number | undefined {
  let end: number | undefined = start
  for (let index = 0; index < count && end !== undefined; index += 1) end = endOfFrame(bytes, end)
  return end
}

function bulkEnd(start: number, length: number): number {
  return length < 0 ? start : start + length + LINE_END.length
}

function within(bytes: Buffer, end: number): number | undefined {
  return end <= bytes.length ? end : undefined
}

/** Just behind the line that begins at `start`. */
function endOfLine(bytes: Buffer, start: number): number | undefined {
  const at = bytes.indexOf(LINE_END, start)
  return at === -1 ? undefined : at + LINE_END.length
}

/** The number in a line such as `$12`. */
function numberAt(bytes: Buffer, start: number): number {
  return Number(bytes.toString('latin1', start + 1, bytes.indexOf(LINE_END, start)))
}
