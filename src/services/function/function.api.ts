import type { ScriptMode, ScriptResults } from '../script/script.api.js'

/** What a function has registered itself with. More may come with later versions of Redis. */
export type FunctionFlag =
  | 'no-writes'
  | 'allow-oom'
  | 'allow-stale'
  | 'no-cluster'
  | 'allow-cross-slot-keys'
  | (string & Record<never, never>)

/** A function of a library. */
export interface LibraryFunction {
  /** What it is called by. */
  readonly name: string
  /** What it has registered itself with as its description, if anything. */
  readonly description: string | undefined
  /** In no order. */
  readonly flags: readonly FunctionFlag[]
}

/** A library of functions. */
export interface FunctionLibrary {
  /** What it was loaded as. */
  readonly name: string
  /** The language of the code, such as `LUA`. */
  readonly engine: string
  /** In no order. */
  readonly functions: readonly LibraryFunction[]
  /** The source, as {@link RFunction.load} takes it: without its first line, which has the name. */
  readonly code: string
}

/**
 * Your own functions in Lua, which Redis stores with its data: they are replicated and saved, and called by
 * name. They need Redis 7: with an older server, all methods reject with an {@link UnsupportedCommandError}.
 *
 * Arguments and values go through the codec as those of {@link RScript} do. The `nameMapper` is applied to keys, and not to the names of libraries
 * and functions.
 *
 * Changes of libraries are sent to every master of a cluster, including a server that becomes a master
 * meanwhile. If it already has the change, as a former replica, it counts as done. The change does not happen
 * at all masters at once. If it fails at one, the call rejects when all have replied, and the changes at the
 * others stay. {@link RFunction.loadAndReplace} and {@link RFunction.restoreAfterFlush} make them equal
 * again. A replica gets the libraries from its master, and a new shard from the tool that adds it.
 *
 * @example
 * ```ts
 * const fn = client.getFunction({ codec: stringCodec() })
 * await fn.loadAndReplace('greetings', `
 *   redis.register_function('greet', function(keys, args)
 *     redis.call('set', keys[1], args[1])
 *     return redis.call('strlen', keys[1])
 *   end)`)
 * console.log(await fn.call('READ_WRITE', 'greet', 'INTEGER', ['greeting'], 'hello')) // 5
 * ```
 */
export interface RFunction<V> {
  /**
   * Calls a function: by `FCALL`, and with `READ_ONLY` by `FCALL_RO`. One round trip.
   *
   * If the reply to a function that may write is lost, it rejects with `mayHaveRun`. There is no `exactlyOnce`: it puts code around
   * a script that keeps the reply, and no script may call a function. A function that has to take effect once takes an id of the request as an argument, or is
   * a script of {@link RScript}.
   *
   * @param mode - whether it may write. `READ_ONLY` takes a function with the flag `no-writes`
   * @param name - the function
   * @param returns - what the reply is read as
   * @param keys - names of objects, which the `nameMapper` is applied to; all in one slot of a cluster. They decide which master runs it; without
   *   any, one of them does
   * @param values - the arguments
   * @throws {@link NoSuchObjectError} if there is no function of that name
   * @throws {@link ScriptError} if the function fails, and what it has written before stays; or if it may write and is not allowed to, and `mayHaveRun` is
   *   false
   * @throws {@link CrossSlotError} for keys in several slots of a cluster
   * @throws {@link UnexpectedReplyError} for a reply that is not what was said
   * @throws {@link CodecError} if the codec cannot write an argument or read a value
   * @throws TypeError for an argument that is wrong; nothing was sent
   */
  call<R extends keyof ScriptResults<V>>(
    mode: ScriptMode,
    name: string,
    returns: R,
    keys?: readonly string[],
    ...values: readonly V[]
  ): Promise<ScriptResults<V>[R]>

  /**
   * Loads a library that is not there yet. It is never sent again: if a reply is lost, it rejects with `mayHaveRun`, and
   * {@link RFunction.loadAndReplace} is safe to call then. One request for each master.
   *
   * @param libraryName - letters, digits and underscores
   * @param code - the source, without the line `#!lua name=…`, which is put in front of it. Numbers of lines in errors count that line
   * @throws {@link ObjectExistsError} if the library is there, or another library has a function of the same name
   * @throws {@link CommandError} if the code cannot be compiled, or registers no function
   */
  load(libraryName: string, code: string): Promise<void>

  /** The same as {@link RFunction.load}, but replaces a library that is there. It is sent again when its reply is lost. */
  loadAndReplace(libraryName: string, code: string): Promise<void>

  /**
   * Deletes a library with its functions. It is never sent again: if a reply is lost, it rejects with `mayHaveRun`. One request for each master.
   *
   * @throws {@link NoSuchObjectError} if it is not there
   */
  delete(libraryName: string): Promise<void>

  /**
   * Returns the libraries that all masters have, with the same code. One that some of them lack, or have
   * another version of, is left out. One request for each master, whose reply has all the code.
   *
   * @param pattern - a glob-style pattern that the names of the libraries have to match, such as `shop_*`; all libraries by default
   */
  list(pattern?: string): Promise<FunctionLibrary[]>

  /** Deletes all libraries, including those of other programs. One request for each master. */
  flush(): Promise<void>

  /** All libraries as bytes, as one of the masters has them. One round trip. */
  dump(): Promise<Uint8Array>

  /**
   * Adds the libraries of a dump to those that are there. At each master all of them are added or none. It is never sent again: if a reply is
   * lost, it rejects with `mayHaveRun`. One request for each master.
   *
   * @param state - what {@link RFunction.dump} has returned
   * @throws {@link ObjectExistsError} if there is a library or a function of the same name
   * @throws RangeError if the server cannot read the bytes
   */
  restore(state: Uint8Array): Promise<void>

  /** The same as {@link RFunction.restore}, but replaces libraries of the same name. It is sent again when its reply is lost. */
  restoreAndReplace(state: Uint8Array): Promise<void>

  /** The same, but deletes all libraries before, including those of other programs. If the bytes cannot be read, they stay. */
  restoreAfterFlush(state: Uint8Array): Promise<void>
}
