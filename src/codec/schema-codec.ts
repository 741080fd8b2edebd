import type { Codec, SchemaCheck } from '../api/codec.js'
import type { StandardSchemaIssue, StandardSchemaV1 } from '../api/standard-schema.js'
import { asBuffer } from './bytes.js'
import { cannotDecode, cannotEncode } from './codec-failure.js'
import { JsonCodec } from './json/json-codec.js'

/**
 * Writes values as JSON, once a schema has checked them. What the schema makes of a value is ignored: the given one is written.
 *
 * @param check - whether what is read is checked too
 */
export function schemaCodec<T>(schema: StandardSchemaV1<T, T>, check: SchemaCheck = 'write'): Codec<T> {
  const { vendor } = schema['~standard']
  const json = new JsonCodec<T>(`json with a schema of ${vendor}`, false)
  const name = json.name
  return Object.freeze({
    name,
    encode(value: T) {
      const issue = issueOf(schema, value)
      if (issue !== undefined)
        throw cannotEncode(name, 'what the schema allows', `a value that it refuses${pathOf(issue)}`)
      return json.encode(value)
    },
    decode(bytes: Uint8Array) {
      const value = json.decode(asBuffer(bytes))
      const issue = check === 'both' ? issueOf(schema, value) : undefined
      if (issue !== undefined) throw cannotDecode(name, `what the schema allows${pathOf(issue)}`, bytes)
      return value
    },
  })
}

/** A mistake in the program, so it is reported as such, and not as an invalid value. */
export class AsyncSchemaError extends TypeError {
  constructor(vendor: string) {
    super(`Expected a schema that checks at once, got one of ${vendor} that returns a promise`)
  }
}

function issueOf<T>(schema: StandardSchemaV1<T, T>, value: unknown): StandardSchemaIssue | undefined {
  const result = schema['~standard'].validate(value)
  if ('then' in result) {
    // No caller waits for it, so its failure is no failure of the program.
    void Promise.resolve(result).catch(() => undefined)
    throw new AsyncSchemaError(schema['~standard'].vendor)
  }
  return result.issues?.[0]
}

/** Where the value is wrong. The words of a schema may cite the value itself, so no error has them. */
function pathOf({ path = [] }: StandardSchemaIssue): string {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return steps.length === 0 ? '' : ` at ${steps.join('.')}`
}
