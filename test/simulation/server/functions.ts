import { CommandError } from './command-error.js'
import { LoadError, loadFunctions, type LibraryFunction } from './lua/function-library.js'
import type { LuaHost } from './lua/host.js'
import { isName, WRONG_NAME } from './lua/library/register-function.js'
import { LuaSyntaxError } from './lua/script.js'
import type { Bytes } from './reply.js'

/** A library of functions. */
export interface FunctionLibrary {
  readonly name: Bytes
  readonly code: Bytes
  readonly functions: readonly LibraryFunction[]
}

/** The first line of a library, which names its engine and itself. */
const FIRST_LINE = /^#!(\S*)(.*?)\n/

/** The functions that a server knows, by libraries. */
export class Functions {
  #libraries = new Map<Bytes, FunctionLibrary>()

  get libraries(): readonly FunctionLibrary[] {
    return [...this.#libraries.values()]
  }

  /** Finds a function, whatever the case of its name. */
  find(name: Bytes): LibraryFunction | undefined {
    const functions = this.libraries.flatMap((library) => library.functions)
    return functions.find((each) => each.name.toLowerCase() === name.toLowerCase())
  }

  /**
   * Adds a library, or replaces the one of its name.
   *
   * @throws CommandError if it is no library, or has a name or a function that another one has
   */
  load(code: Bytes, { host, replaces }: { host: LuaHost; replaces: boolean }): Bytes {
    const name = nameOf(code)
    if (this.#libraries.has(name) && !replaces) throw new CommandError(`ERR Library '${name}' already exists`)
    const library = { name, code, functions: functionsOf(code, host) }
    if (library.functions.length === 0) throw new CommandError('ERR No functions registered')
    this.#demandNewFunctions(library, [name])
    this.#libraries.delete(name)
    this.#libraries.set(name, library)
    return name
  }

  /**
   * Adds libraries.
   *
   * @throws CommandError if one has a name or a function that another one has
   */
  add(libraries: readonly FunctionLibrary[], { replaces }: { replaces: boolean }): void {
    const present = libraries.find(({ name }) => this.#libraries.has(name))
    if (present && !replaces) throw new CommandError(`ERR Library ${present.name} already exists`)
    const names = libraries.map(({ name }) => name)
    for (const library of libraries) this.#demandNewFunctions(library, names)
    for (const library of libraries) this.#libraries.set(library.name, library)
  }

  delete(name: Bytes): boolean {
    return this.#libraries.delete(name)
  }

  flush(): void {
    this.#libraries.clear()
  }

  /** Refuses a function that a library has which stays. */
  #demandNewFunctions({ functions }: FunctionLibrary, leaving: readonly Bytes[]): void {
    const staying = this.libraries.filter(({ name }) => !leaving.includes(name))
    const names = new Set(staying.flatMap((each) => each.functions.map(({ name }) => name.toLowerCase())))
    const taken = functions.find(({ name }) => names.has(name.toLowerCase()))
    if (taken) throw new CommandError(`ERR Function ${taken.name} already exists`)
  }
}

/** The name of a library, by the first line of its code. */
function nameOf(code: Bytes): Bytes {
  if (!code.startsWith('#!')) throw new CommandError('ERR Missing library metadata')
  const [line, engine = '', rest = ''] = FIRST_LINE.exec(code) ?? []
  if (line === undefined) throw new CommandError('ERR Invalid library metadata')
  const name = nameIn(rest.split(/\s+/).filter((word) => word !== ''))
  if (!isName(name)) throw new CommandError(`ERR ${WRONG_NAME}`)
  if (engine.toLowerCase() !== 'lua') throw new CommandError(`ERR Engine '${engine}' not found`)
  return name
}

function nameIn(words: readonly Bytes[]): Bytes {
  let name: Bytes | undefined
  for (const word of words) {
    if (!/^name=/i.test(word)) throw new CommandError(`ERR Invalid metadata value given: ${word}`)
    if (name !== undefined)
      throw new CommandError('ERR Invalid metadata value, name argument was given multiple times')
    name = word.slice('name='.length)
  }
  if (name === undefined) throw new CommandError('ERR Library name was not given')
  return name
}

function functionsOf(code: Bytes, host: LuaHost): readonly LibraryFunction[] {
  try {
    return loadFunctions(code, host)
  } catch (error) {
    if (error instanceof LuaSyntaxError)
      throw new CommandError(`ERR Error compiling function: ${error.message}`)
    if (error instanceof LoadError)
      throw new CommandError(`ERR Error registering functions: ${error.message}`)
    throw error
  }
}
