/**
 * A schema of any library that keeps to [Standard Schema](https://standardschema.dev), such as zod, valibot or arktype.
 *
 * Where a codec is expected, a schema whose input and output are of one type may stand.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** What the standard asks of a schema. */
  readonly '~standard': StandardSchemaProps<Input, Output>
}

/** What Standard Schema asks of a schema. */
export interface StandardSchemaProps<Input = unknown, Output = Input> {
  /** The version of the standard. */
  readonly version: 1
  /** The library that the schema is of. */
  readonly vendor: string
  /** Checks a value. */
  readonly validate: (
    value: unknown,
  ) => StandardSchemaResult<Output> | PromiseLike<StandardSchemaResult<Output>>
  /** The types that the schema reads and makes. */
  readonly types?:
    | {
        /** What it reads. */
        readonly input: Input
        /** What it makes. */
        readonly output: Output
      }
    | undefined
}

/** What a schema says of a value: its output, or what is wrong. */
export type StandardSchemaResult<Output> =
  | {
      /** What the schema makes of the value. */
      readonly value: Output
      /** Absent, since nothing is wrong. */
      readonly issues?: undefined
    }
  | {
      /** What is wrong. */
      readonly issues: readonly StandardSchemaIssue[]
    }

/** One thing that is wrong with a value. */
export interface StandardSchemaIssue {
  /** What is wrong, in the words of the schema. */
  readonly message: string
  /** Where it is. */
  readonly path?: readonly (PropertyKey | StandardSchemaPathSegment)[] | undefined
}

/** A step on the way to where something is wrong. */
export interface StandardSchemaPathSegment {
  /** The name or index. */
  readonly key: PropertyKey
}
