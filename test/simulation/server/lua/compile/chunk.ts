import type { Bytes } from '../../reply.js'
import type { Table } from '../run/table.js'
import type { Func } from '../run/values.js'
import { parseScript } from '../syntax/parse.js'
import { resolve } from '../syntax/resolve.js'
import { compileMain } from './functions.js'

/** What code is compiled for. */
export interface Surroundings {
  /** What errors name as the script. */
  readonly chunkName: string
  readonly globals: Table
}

/**
 * Compiles code in Lua 5.1 to a function.
 *
 * @throws LuaSyntaxError
 */
export function compileChunk(code: Bytes, { chunkName, globals }: Surroundings): Func {
  const { chunk, source } = parseScript(code, chunkName)
  const resolution = resolve(chunk)
  return compileMain(chunk, {
    chunkName,
    globals,
    source,
    resolution,
    scope: resolution.main,
    zeros: new Map(),
  })
}
