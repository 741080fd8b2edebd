import type { Comparison } from './comparison.api.js'
import { inspectWord } from '../../util/inspect-short.js'

const COMPARISONS: Readonly<Record<Comparison, true>> = {
  '<': true,
  '<=': true,
  '>': true,
  '>=': true,
  '==': true,
  '!=': true,
}

/** @throws `RangeError` for a comparison that does not exist */
export function demandComparison(comparison: unknown): asserts comparison is Comparison {
  if (typeof comparison === 'string' && Object.hasOwn(COMPARISONS, comparison)) return
  const all = Object.keys(COMPARISONS).join(', ')
  throw new RangeError(`Expected \`comparison\` to be one of ${all}, got ${inspectWord(comparison)}`)
}
