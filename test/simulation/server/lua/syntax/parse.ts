import luaparse, { type Chunk } from 'luaparse'
import type { Bytes } from '../../reply.js'
import { LuaSyntaxError } from '../run/errors.js'
import { hideMistakenStrings } from './mistaken-strings.js'
import { Source } from './source.js'
import { messageOf } from './syntax-messages.js'

const OPTIONS = {
  luaVersion: '5.1',
  encodingMode: 'pseudo-latin1',
  locations: true,
  ranges: true,
  comments: false,
} as const

/**
 * The tree of a script, and its text, which says what the tree leaves out.
 *
 * @param chunkName - what errors name as the script
 */
export function parseScript(
  script: Bytes,
  chunkName: string,
): { readonly chunk: Chunk; readonly source: Source } {
  const text = withoutShebang(script)
  try {
    const { readable, hidden } = hideMistakenStrings(text, OPTIONS)
    return { chunk: luaparse.parse(readable, OPTIONS), source: new Source(text, hidden) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new LuaSyntaxError(messageOf(error, chunkName.slice(1), text.length), { cause: error })
  }
}

/** The first line may name the engine. It stays there as an empty one. */
function withoutShebang(script: Bytes): Bytes {
  return script.startsWith('#!') ? script.replace(/^[^\n]*/, '') : script
}
