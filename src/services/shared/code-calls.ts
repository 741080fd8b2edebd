import type { Codec } from '../../api/codec.js'
import type { ScriptMode, ScriptResults } from '../script/script.api.js'
import { encodeAt, type Place } from '../../codec/encoding.js'
import type { Call, Operation } from '../../command/operation/operation.js'
import { demandValue, mappedName } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { CrossSlotError } from '../../errors/client-errors.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { resultDecoders, type ResultDecoders } from './code-results.js'

/** What the reply of a script or a function is read as. */
export type Returns<V> = keyof ScriptResults<V>

/** How a script or a function is called. */
export type CodeFace<R> = Pick<Operation<string, string, R>, 'reply' | 'repeat'> & {
  readonly readOnly: boolean
  readonly ofProgram: true
}

/** What calls of the program's own scripts and functions have in common. */
export class CodeCalls<V> {
  readonly #context: ObjectContext
  readonly #codec: Codec<V>
  readonly #place: Place
  readonly #decoders: ResultDecoders<V>

  /** @param kind - what is called, for errors: `a script` */
  constructor(context: ObjectContext, codec: Codec<V>, kind: string) {
    this.#context = context
    this.#codec = codec
    this.#place = { object: kind }
    this.#decoders = resultDecoders(codec, this.#place)
  }

  /** @throws TypeError for a mode or a kind of result that does not exist */
  face<R extends Returns<V>>(mode: ScriptMode, returns: R): CodeFace<ScriptResults<V>[R]> {
    demandOneOf('mode', mode, ['READ_ONLY', 'READ_WRITE'])
    demandOneOf('returns', returns, Object.keys(this.#decoders))
    const readOnly = mode === 'READ_ONLY'
    const reply: CodeFace<ScriptResults<V>[R]>['reply'] = this.#decoders[returns]
    return { reply, repeat: readOnly ? 'safe' : 'counting', readOnly, ofProgram: true }
  }

  /**
   * What a call is given.
   *
   * @throws {@link CrossSlotError} for keys in several slots of a cluster
   */
  given(names: readonly string[], values: readonly V[]): Call<'...keys', '...values'> {
    return {
      keys: { keys: this.#keysOf(names) },
      args: { values: values.map((each) => this.#encoded(each)) },
    }
  }

  #keysOf(names: unknown): readonly string[] {
    if (!Array.isArray(names))
      throw new TypeError(`Expected \`keys\` to be a list of names, got ${inspectShort(names)}`)
    const { topology } = this.#context
    const keys = Array.from(names as readonly string[], (name) => mappedName(this.#context, name))
    const [first = ''] = keys
    const other = keys.findIndex((key) => topology.slotOf(key) !== topology.slotOf(first))
    if (other > 0) throw new CrossSlotError(String(names[other]), String(keys[other]), first)
    return keys
  }

  #encoded(value: V): string | Buffer {
    demandValue(value, `${this.#place.object} has no argument for it`)
    return encodeAt(this.#codec, value, this.#place)
  }
}

function demandOneOf(name: string, value: unknown, known: readonly string[]): void {
  if (typeof value === 'string' && known.includes(value)) return
  throw new TypeError(`Expected \`${name}\` to be one of ${known.join(', ')}, got ${inspectWord(value)}`)
}
