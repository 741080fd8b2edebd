import { CommandError } from '../command-error.js'
import type { Bytes } from '../reply.js'

/** A cursor. This server has all that there is on its first page. */
export function demandCursor(text: Bytes): void {
  if (!/^\d+$/.test(text)) throw new CommandError('ERR invalid cursor')
}
