import type { Argument, Command, Key } from '../../connection/connection.js'
import type { Call, Definition, Operation, OwnKey, Parameter } from './operation.js'
import { append, commandParameters, ownKeyOf } from './parameters.js'

/** A command of Redis, and the names of what it takes. */
export interface PlainCommand<K extends string, A extends string, R, Own extends K = K> extends Operation<
  K,
  A,
  R,
  Own
> {
  /** The first word of {@link Operation.name}, as it is sent. */
  readonly word: string
  /** The others, which come before all keys. */
  readonly subcommand: readonly string[]
  /** What stands between these and the keys, such as the options of `XREAD`. */
  readonly leadingParameters?: readonly Parameter[] | undefined
  /**
   * Whether it can be run in parts: parts of the list that comes last, one after the other, do the same as all of it, and their replies add up to its
   * own. What belongs together in the list are one, two or three values.
   */
  readonly addsUp?: boolean
}

/** A command as it is written down. */
type CommandDefinition<Keys extends readonly string[], A extends string, R> = Omit<
  Definition<Keys[number], A, R>,
  'keys'
> &
  Pick<PlainCommand<string, A, R>, 'addsUp'> & {
    readonly keys: Keys
    /** The names of those arguments that come before the keys. */
    readonly leading?: readonly A[]
  }

/**
 * Gives a command of Redis a typed face: `name leading… keys… args…`, in this order.
 *
 * A name in capitals is sent as it is, such as `PX`; among the keys `NUMKEYS` stands for the number of those that follow it. A name that
 * begins with three dots is the last one, and stands for a list.
 *
 * @example
 * ```ts
 * const setFor = defineCommand('SET', { keys: ['bucket'], args: ['value', 'PX', 'ttlMs'], reply: status, repeat: 'idempotent' })
 * await executor.run(setFor, { keys: { bucket }, args: { value, ttlMs: 1_000 } })
 * ```
 */
export function defineCommand<const Keys extends readonly string[], const A extends string, R>(
  name: string,
  { leading, ...definition }: CommandDefinition<Keys, A, R>,
): PlainCommand<Keys[number], A, R, OwnKey<Keys>> {
  const [word = '', ...subcommand] = name.toLowerCase().split(' ')
  const keyParameters = commandParameters(definition.keys)
  const argParameters = commandParameters(definition.args)
  const ownKey = ownKeyOf(keyParameters) as OwnKey<Keys> | undefined
  const leadingParameters = leading && commandParameters(leading)
  return Object.freeze({
    name,
    word,
    subcommand,
    leadingParameters,
    ownKey,
    keyParameters,
    argParameters,
    ...definition,
  })
}

/** What is sent of a command with these values. */
export function wordsOf<K extends string, A extends string>(
  { word, subcommand, leadingParameters, keyParameters, argParameters }: PlainCommand<K, A, unknown>,
  call: Call<K, A>,
): Command {
  const args: Argument[] = subcommand.slice()
  if (leadingParameters !== undefined) append(args, leadingParameters, call.args)
  append(args, keyParameters, call.keys)
  append(args, argParameters, call.args)
  return { name: word, args }
}

/** How many words come before the list that ends a command. */
export function wordsBeforeList<K extends string, A extends string>(
  command: PlainCommand<K, A, unknown>,
  call: Call<K, A>,
): number {
  const list = command.argParameters.at(-1)?.name ?? ''
  return 1 + wordsOf(command, { ...call, args: { ...call.args, [list]: [] } }).args.length
}

/** The keys of a command, or of a script, one by one. */
export function keysOf<K extends string>(
  { keyParameters }: Pick<Operation<K, string, unknown>, 'keys' | 'keyParameters'>,
  call: Pick<Call<K, string>, 'keys'>,
): Key[] {
  const named: Readonly<Record<string, Key | readonly Key[]>> = call.keys
  return keyParameters.flatMap(({ name }) => named[name] ?? [])
}

/** The first key of a command, which tells its slot; undefined where it has none. */
export function firstKeyOf<K extends string>(
  operation: Pick<Operation<K, string, unknown>, 'keys' | 'keyParameters' | 'ownKey'>,
  call: Pick<Call<K, string>, 'keys'>,
): Key | undefined {
  const { ownKey } = operation
  if (ownKey === undefined) return keysOf(operation, call)[0]
  return (call.keys as Readonly<Record<string, Key>>)[ownKey]
}
