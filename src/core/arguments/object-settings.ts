import type { Codec } from '../../api/codec.js'
import type { CodecOptions, ObjectOptions, ValueOptions } from '../../api/object-options.js'
import { singleCodec } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { flag } from './arguments.js'
import type { ObjectContext } from '../context/object-context.js'
import { demandOptions, known } from './options.js'

const OBJECT = known<ObjectOptions>({ exactlyOnce: true })
const CODEC = known<CodecOptions<unknown>>({ codec: true, validate: true })
const VALUE = known<ValueOptions<unknown>>({ codec: true, validate: true, exactlyOnce: true })

/** What the options of an object with values mean for its requests. */
export interface ValueSettings<V> {
  readonly codec: Codec<V>
  readonly run: RunOptions
}

/** @throws TypeError for options that are unknown or wrong */
export function objectSettings(options: ObjectOptions = {}): RunOptions {
  demandOptions(options, OBJECT)
  return runOptions(options)
}

/** @throws TypeError for options that are unknown or wrong */
export function codecSettings<V>(options: CodecOptions<V> = {}, context: ObjectContext): Codec<V> {
  demandOptions(options, CODEC)
  return codecIn(options, context)
}

/** @throws TypeError for options that are unknown or wrong */
export function valueSettings<V>(options: ValueOptions<V> = {}, context: ObjectContext): ValueSettings<V> {
  demandOptions(options, VALUE)
  return { codec: codecIn(options, context), run: runOptions(options) }
}

/** What the options that all objects have in common mean for their requests. */
export function runOptions({ exactlyOnce }: ObjectOptions): RunOptions {
  return { exactlyOnce: flag('exactlyOnce', exactlyOnce) }
}

/** The program says by its type argument what the codec of the client makes. */
function codecIn<V>({ codec, validate }: CodecOptions<V>, { config }: ObjectContext): Codec<V> {
  return singleCodec(codec, config.codecs, validate) as Codec<V>
}
