import { inspectShort } from '../../util/inspect-short.js'

/** @throws `RangeError` for what is no finite number */
export function finite(name: string, value: number): number {
  if (Number.isFinite(value)) return value
  throw new RangeError(`Expected \`${name}\` to be a finite number, got ${inspectShort(value)}`)
}
