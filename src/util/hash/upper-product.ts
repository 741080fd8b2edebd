/**
 * Returns the upper 32 bits of the product of two words, which count as unsigned, as a signed word.
 *
 * A number holds 53 bits of the product. Once the lower word is taken off, what is left is a multiple of 2³² but for that rounding, which
 * may have made it smaller.
 */
export function upperProduct(one: number, other: number): number {
  const lower = Math.imul(one, other) >>> 0
  return (((one >>> 0) * (other >>> 0) - lower) * 2 ** -32 + 0.5) | 0
}
