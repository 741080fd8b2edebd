import type { Codec } from '../../api/codec.js'
import type { FunctionLibrary, RFunction } from './function.api.js'
import type { ScriptMode, ScriptResults } from '../script/script.api.js'
import type { PlainCommand } from '../../command/operation/command.js'
import type { Call } from '../../command/operation/operation.js'
import { demandName, stateBytes } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { inspectShort } from '../../util/inspect-short.js'
import { showOnly } from '../../util/show-only.js'
import { CodeCalls, type Returns } from '../shared/code-calls.js'
import { codeFailure } from '../shared/code-failures.js'
import * as commands from './function.commands.js'
import { callRefusal, isDeleted, isLoaded, libraryRefusal } from './refusals.js'
import { CLIENTS } from '../../util/refused-calls.js'

const LIBRARY_NAME = /^\w+$/

/** What becomes of libraries that are there when others are restored. */
type Policy = 'APPEND' | 'REPLACE' | 'FLUSH'

/** What refusals of a request about libraries mean. */
interface LibraryRequest {
  /** The library that is named. */
  readonly library?: string
  /** Whether a server that has become master meanwhile says that it has the change already. */
  readonly isReplicated?: (error: unknown) => boolean
}

/** Functions of the program's own. */
export class RedissonFunction<V> implements RFunction<V> {
  static {
    showOnly(this, 'RFunction', () => ({}))
    refuseSurplus(this, {
      call: ANY_NUMBER,
      load: 'a library is one text',
      loadAndReplace: 'a library is one text',
      restore: 'a dump is restored as a whole',
      restoreAndReplace: 'a dump is restored as a whole',
      restoreAfterFlush: 'a dump is restored as a whole',
      delete: 'one library is deleted',
      list: 'a pattern is one text',
      flush: 'all libraries are deleted',
      dump: 'all libraries are dumped',
    })
  }

  readonly #context: ObjectContext
  readonly #calls: CodeCalls<V>

  constructor(context: ObjectContext, codec: Codec<V>) {
    this.#context = context
    this.#calls = new CodeCalls(context, codec, 'a function')
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async call<R extends Returns<V>>(
    mode: ScriptMode,
    name: string,
    returns: R,
    keys: readonly string[] = [],
    ...values: readonly V[]
  ): Promise<ScriptResults<V>[R]> {
    const face = this.#calls.face(mode, returns)
    demandName('`name` to be', name)
    const command = commands.functionCall(name, face)
    const reply = this.#context.executor.run(command, this.#calls.given(keys, values))
    return await reply.catch((error: unknown) => {
      throw codeFailure(callRefusal(error, name, command.name.toLowerCase()), name)
    })
  }

  async load(libraryName: string, code: string): Promise<void> {
    const call = libraryCall(libraryName, code)
    await this.#sendToAll(commands.load, call, { library: libraryName, isReplicated: isLoaded })
  }

  async loadAndReplace(libraryName: string, code: string): Promise<void> {
    await this.#sendToAll(commands.loadAndReplace, libraryCall(libraryName, code))
  }

  async delete(libraryName: string): Promise<void> {
    demandLibraryName(libraryName)
    const call = { keys: {}, args: { library: libraryName } }
    await this.#sendToAll(commands.remove, call, { library: libraryName, isReplicated: isDeleted })
  }

  async list(pattern?: string): Promise<FunctionLibrary[]> {
    const call = { keys: {}, args: { pattern: libraryPattern(pattern) } }
    const [first = [], ...others] = await this.#sendToAll(commands.listLibraries, call)
    return first.filter((library) => others.every((there) => isAmong(there, library)))
  }

  async flush(): Promise<void> {
    await this.#sendToAll(commands.flush, { keys: {}, args: {} })
  }

  async dump(): Promise<Uint8Array> {
    return await explained(this.#context.executor.run(commands.dump, { keys: {}, args: {} }))
  }

  async restore(state: Uint8Array): Promise<void> {
    await this.#restore(commands.restore, state)
  }

  async restoreAndReplace(state: Uint8Array): Promise<void> {
    await this.#restore(commands.restoreAndReplace, state)
  }

  async restoreAfterFlush(state: Uint8Array): Promise<void> {
    await this.#restore(commands.restoreAfterFlush, state)
  }

  async #restore(command: PlainCommand<never, 'state' | Policy, 'OK'>, state: Uint8Array): Promise<void> {
    const call = { keys: {}, args: { state: stateBytes(state) } }
    await this.#sendToAll(command, call, { isReplicated: isLoaded })
  }

  #sendToAll<A extends string, R>(
    command: PlainCommand<never, A, R>,
    call: Call<never, A>,
    { library, isReplicated }: LibraryRequest = {},
  ): Promise<readonly R[]> {
    return explained(this.#context.masters.sendToAll(command, call, isReplicated), library)
  }
}

/** All libraries by default. */
function libraryPattern(pattern = '*'): string {
  demandName('`pattern` to be', pattern)
  return pattern
}

function libraryCall(libraryName: string, code: string): Call<never, 'code'> {
  demandLibraryName(libraryName)
  demandName('`code` to be', code)
  if (code.startsWith('#!'))
    throw new TypeError('Expected `code` to have no first line with #!: it is made of `libraryName`')
  return { keys: {}, args: { code: `#!lua name=${libraryName}\n${code}` } }
}

function demandLibraryName(name: unknown): void {
  if (typeof name === 'string' && LIBRARY_NAME.test(name)) return
  throw new TypeError(
    `Expected \`libraryName\` to be letters, digits and underscores, got ${inspectShort(name)}`,
  )
}

function isAmong(libraries: readonly FunctionLibrary[], { name, code }: FunctionLibrary): boolean {
  return libraries.some((each) => each.name === name && each.code === code)
}

/** Says in the words of this library why a server refused. */
function explained<T>(asked: Promise<T>, library = ''): Promise<T> {
  return asked.catch((error: unknown) => {
    throw libraryRefusal(error, library)
  })
}
