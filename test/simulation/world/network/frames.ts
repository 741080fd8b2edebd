const LINE_END = '\r\n'

/** Cuts what a client sends into whole commands, as Redis reads them: arrays of bulk strings, or lines. Bytes are latin1 characters. */
export class CommandFramer {
  #rest = ''

  /** Takes in what was sent; returns the commands that are whole now. */
  push(bytes: string): readonly string[] {
    const all = this.#rest === '' ? bytes : this.#rest + bytes
    const commands: string[] = []
    let start = 0
    for (let end = endOfCommand(all, 0); end !== undefined; end = endOfCommand(all, start)) {
      commands.push(start === 0 && end === all.length ? all : all.slice(start, end))
      start = end
    }
    this.#rest = all.slice(start)
    return commands
  }
}

/** The name of a command and its arguments. */
export function wordsOf(command: string): readonly string[] {
  if (!command.startsWith('*')) return command.trim().split(' ')
  const words: string[] = []
  let at = command.indexOf(LINE_END) + LINE_END.length
  while (command.startsWith('$', at)) {
    const start = command.indexOf(LINE_END, at) + LINE_END.length
    const end = start + numberAt(command, at)
    words.push(command.slice(start, end))
    at = end + LINE_END.length
  }
  return words
}

/** Where the command ends that begins at `start`; undefined while it is not whole. */
function endOfCommand(bytes: string, start: number): number | undefined {
  const lineEnd = bytes.indexOf(LINE_END, start)
  if (lineEnd < 0) return undefined
  let end = lineEnd + LINE_END.length
  if (!bytes.startsWith('*', start)) return end
  for (let left = numberAt(bytes, start); left > 0; left -= 1) {
    const header = bytes.indexOf(LINE_END, end)
    if (header < 0) return undefined
    end = header + LINE_END.length + numberAt(bytes, end) + LINE_END.length
    if (end > bytes.length) return undefined
  }
  return end
}

/** The number after the type of a header. */
function numberAt(bytes: string, start: number): number {
  let number = 0
  for (let index = start + 1; ; index += 1) {
    const digit = bytes.charCodeAt(index) - ZERO
    if (!(digit >= 0 && digit <= 9)) return number
    number = number * 10 + digit
  }
}

const ZERO = '0'.charCodeAt(0)
