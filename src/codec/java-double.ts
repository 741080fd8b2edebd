/**
 * A finite number as `Double.toString` of Java writes it: `1.0`, `1.0E7`, `1.0E-4`, `-0.0`.
 *
 * The digits are the fewest that read as the same number, as in Java 19 and later. Before, Java had a digit more for a few numbers, none
 * of them of a size from 10⁻⁹ to 10¹⁵.
 */
export function javaDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const sign = value < 0 ? '-' : ''
  const [digits = '', exponent = '0'] = shortest(Math.abs(value)).replace('.', '').split('e')
  return sign + laidOut(digits, Number(exponent))
}

/** Java writes two digits at least, so of the smallest number it is 4.9E-324 that comes nearest, not 5E-324. */
function shortest(size: number): string {
  const short = size.toExponential()
  if (short.includes('.')) return short
  const nearer = size.toExponential(1)
  return nearer.includes('.0e') || Number(nearer) !== size ? short : nearer
}

/** Java writes numbers from 10⁻³ to 10⁷ plainly, and all others with an exponent. */
function laidOut(digits: string, exponent: number): string {
  if (exponent < -3 || exponent >= 7) return `${withPoint(digits, 1)}E${exponent}`
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  return withPoint(digits, exponent + 1)
}

/** At least one digit stands behind the point. */
function withPoint(digits: string, at: number): string {
  return `${digits.slice(0, at).padEnd(at, '0')}.${digits.slice(at) || '0'}`
}

/**
 * A finite number as `BigDecimal.valueOf` of Java writes it by `toPlainString`, without an exponent: `1.0`, `10000000`, `0.00010`, `0.0`.
 */
export function plainJavaDouble(value: number): string {
  const [number = '', exponent] = javaDouble(Math.abs(value)).split('E')
  const sign = value < 0 ? '-' : ''
  if (exponent === undefined) return sign + number
  const digits = number.replace('.', '')
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
