import type { Operation } from '../../command/operation/operation.js'
import { scriptParameters } from '../../command/operation/parameters.js'
import { shaOf, type Script } from '../../command/operation/script.js'

/** An operation of any kind. */
export type AnyScript<R> = Script<string, string, R>

/** Scripts that were made, by the operations that they run. */
export type Made = WeakMap<Operation<string, string, unknown>, AnyScript<unknown>>

/** The names that a script takes besides. */
export interface Added {
  readonly keys: readonly string[]
  readonly args: readonly string[]
}

/** What was made of an operation, or else is made now. */
export function memoized<R>(
  before: Made,
  operation: Operation<string, string, unknown>,
  make: () => AnyScript<R>,
): AnyScript<R> {
  const known = before.get(operation)
  if (known !== undefined) return known as AnyScript<R>
  const script = make()
  before.set(operation, script)
  return script
}

/** The same script with another source, which takes more keys and arguments behind its own. */
export function extendedScript<R>(script: AnyScript<R>, source: string, { keys, args }: Added): AnyScript<R> {
  return Object.freeze({
    ...script,
    source,
    sha: shaOf(source),
    keys: [...script.keys, ...keys],
    keyParameters: [...script.keyParameters, ...scriptParameters(keys)],
    args: [...script.args, ...args],
    argParameters: [...script.argParameters, ...scriptParameters(args)],
  })
}
