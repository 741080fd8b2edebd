/**
 * What a script or a function does: `READ_ONLY` writes nothing, which the server enforces, and so is sent again when its reply is lost; `READ_WRITE` may
 * write.
 */
export type ScriptMode = 'READ_ONLY' | 'READ_WRITE'

/** An item of a list that a script or a function returns: a value, an integer, nothing, or a list. */
export type ScriptItem<V> = V | number | undefined | readonly ScriptItem<V>[]

/** What the reply of a script or a function is read as. */
export interface ScriptResults<V> {
  /** 1 and `OK` are true, 0 and nil are false; so are `true` and `false` of Lua. */
  readonly BOOLEAN: boolean
  /** A whole number. Lua's numbers lose what stands behind the point. */
  readonly INTEGER: number
  /** A text in UTF-8 as it is, such as `OK` or an error code. */
  readonly STATUS: string
  /** What the codec reads; nil is undefined. */
  readonly VALUE: V | undefined
  /** A list. Lua's end at the first nil. */
  readonly MULTI: readonly ScriptItem<V>[]
}

/**
 * Your own scripts in Lua.
 *
 * The codec encodes the arguments and decodes the values in replies. With the default codec, `ARGV[1]` of the
 * text `a` is `"a"`, with quotes; with `stringCodec()` it is `a`.
 *
 * @example
 * ```ts
 * const script = client.getScript({ codec: stringCodec() })
 * const lua = "redis.call('set', KEYS[1], ARGV[1]) return redis.call('strlen', KEYS[1])"
 * console.log(await script.eval('READ_WRITE', lua, 'INTEGER', ['greeting'], 'hello')) // 5
 * ```
 */
export interface RScript<V> {
  /**
   * Runs a script. It is sent by its hash, and in full where the server does not know it, as after a failover or {@link RScript.scriptFlush}.
   *
   * If the reply to a script that may write is lost, it rejects with `mayHaveRun`; with {@link ObjectOptions.exactlyOnce} it is sent again and takes
   * effect once. A lost reply that was too deep to be kept is a {@link ScriptError} with `ANSWERLOST`.
   *
   * @param mode - whether it may write. `READ_ONLY` takes Redis 7
   * @param lua - the source
   * @param returns - what the reply is read as
   * @param keys - names of objects, which the `nameMapper` is applied to; all in one slot of a cluster
   * @param values - the arguments
   * @throws {@link ScriptError} if the script fails; what it has written before stays
   * @throws {@link UnsupportedCommandError} for `READ_ONLY` at a server before Redis 7
   * @throws {@link CrossSlotError} for keys in several slots of a cluster
   * @throws {@link UnexpectedReplyError} for a reply that is not what was said
   * @throws {@link CodecError} if the codec cannot write an argument or read a value
   * @throws TypeError for an argument that is wrong; nothing was sent
   */
  eval<R extends keyof ScriptResults<V>>(
    mode: ScriptMode,
    lua: string,
    returns: R,
    keys?: readonly string[],
    ...values: readonly V[]
  ): Promise<ScriptResults<V>[R]>

  /**
   * Runs a script that the server knows. A server that does not know it any more, such as the new one after a failover, refuses: prefer
   * {@link RScript.eval}, which costs the same.
   *
   * It is never sent again with `READ_WRITE`, whatever {@link ObjectOptions.exactlyOnce} says.
   *
   * @param sha - what {@link RScript.scriptLoad} has returned
   * @throws {@link ScriptError} whose message has `NOSCRIPT` where the server does not know it; and as {@link RScript.eval} does
   */
  evalSha<R extends keyof ScriptResults<V>>(
    mode: ScriptMode,
    sha: string,
    returns: R,
    keys?: readonly string[],
    ...values: readonly V[]
  ): Promise<ScriptResults<V>[R]>

  /**
   * Loads a script at every master, including a server that becomes a master meanwhile. Returns its SHA-1
   * hash. Servers that become masters later do not know it. One request for each master.
   */
  scriptLoad(lua: string): Promise<string>

  /** For each hash, whether every master knows its script. One request for each master. */
  scriptExists(...shas: string[]): Promise<boolean[]>

  /**
   * Removes all scripts from every master, including those of other programs. Programs that run them by
   * {@link RScript.eval} do not notice.
   */
  scriptFlush(): Promise<void>
}
