import { createHash } from 'node:crypto'
import { CommandError } from './command-error.js'
import { compileScript, LuaSyntaxError, type CompiledScript } from './lua/script.js'
import type { Bytes } from './reply.js'

/** A first line that says what a script may do. */
const WITH_FLAGS = /^#![^\n]*flags=/

/** Scripts are compiled once for all servers. */
const compiled = new Map<Bytes, CompiledScript>()

/** The scripts that a server knows. */
export class Scripts {
  readonly #known = new Map<Bytes, CompiledScript>()

  /**
   * Keeps a script. Returns the hash by which it is known.
   *
   * @throws CommandError if it is no Lua
   */
  load(source: Bytes): Bytes {
    if (WITH_FLAGS.test(source)) throw new CommandError('ERR This server does not know the flags of scripts')
    const sha = createHash('sha1').update(source, 'latin1').digest('hex')
    if (!this.#known.has(sha)) this.#known.set(sha, compiledOf(sha, source))
    return sha
  }

  find(sha: Bytes): CompiledScript | undefined {
    return this.#known.get(sha)
  }

  has(sha: Bytes): boolean {
    return this.#known.has(sha)
  }

  flush(): void {
    this.#known.clear()
  }
}

function compiledOf(sha: Bytes, source: Bytes): CompiledScript {
  const known = compiled.get(sha)
  if (known) return known
  try {
    const script = compileScript(source)
    compiled.set(sha, script)
    return script
  } catch (error) {
    if (error instanceof LuaSyntaxError)
      throw new CommandError(`ERR Error compiling script (new function): ${error.message}`)
    throw error
  }
}
