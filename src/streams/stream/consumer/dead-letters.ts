import type { StreamDeadLetter } from '../stream-consumer.api.js'
import type { EntryCodec } from '../../../collections/map/entry-codec.js'
import type { Argument } from '../../../connection/connection.js'
import { CodecError } from '../../../errors/codec-errors.js'

/** The field that says why a message is in a dead letter stream. */
export const DEAD_LETTER = 'dead-letter'

/** The field, as the codec writes it; as JSON where the codec cannot write it, but reads that; nothing where it reads neither. */
export function reasonField<K, V>(codec: EntryCodec<K, V>, reason: StreamDeadLetter): Argument[] {
  const name = written(() => codec.encodeKey(DEAD_LETTER as never))
  if (name === undefined) return []
  const value = written(() => codec.encodeValue(reason as never)) ?? asJson(codec, reason)
  return value === undefined ? [] : [name, value]
}

function asJson<K, V>(codec: EntryCodec<K, V>, reason: StreamDeadLetter): Argument | undefined {
  const json = Buffer.from(JSON.stringify(reason))
  return written(() => {
    codec.decodeValue(json)
    return json
  })
}

function written(write: () => Argument): Argument | undefined {
  try {
    return write()
  } catch (error) {
    if (error instanceof CodecError) return undefined
    throw error
  }
}
