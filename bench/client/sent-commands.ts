import { Socket } from 'node:net'

/** How a command begins in Redis's protocol: how many words it has, and then how long the first one is. */
const BEGINNING = /\*\d+\r\n\$/g

let sent = 0

/**
 * Counts the commands that leave this process, from now on and over all sockets, for any library.
 *
 * The server cannot tell: `INFO commandstats` and `total_commands_processed` count what scripts do inside as well, and
 * only Redis 8 counts by connection.
 */
export function countSentCommands(): void {
  const { write } = Socket.prototype as { write: Write }
  const counting: Write = function (this: Socket, chunk, ...rest) {
    sent += commandsIn(chunk)
    return write.call(this, chunk, ...rest)
  }
  Object.assign(Socket.prototype, { write: counting })
}

/** How many commands have left this process. */
export function sentCommands(): number {
  return sent
}

type Write = (this: Socket, chunk: string | Uint8Array, ...rest: never[]) => boolean

function commandsIn(chunk: string | Uint8Array): number {
  const text =
    typeof chunk === 'string'
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
  return text.match(BEGINNING)?.length ?? 0
}
