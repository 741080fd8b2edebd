const BEYOND_INT64 = 2 ** 63
const LEAST_INT = -(2 ** 31)
const LEAST_INT64 = -(2 ** 63)

/** A number as C converts it to an integer of 64 bits: cut towards zero, and the least one for what does not fit. */
export function toInt64(number: number): number {
  const cut = Math.trunc(number)
  return cut >= LEAST_INT64 && cut < BEYOND_INT64 ? cut + 0 : LEAST_INT64
}

/** The same for an integer of 32 bits. */
export function toInt(number: number): number {
  const cut = Math.trunc(number)
  return cut >= LEAST_INT && cut < -LEAST_INT ? cut + 0 : LEAST_INT
}

/** The low 32 bits of a number that is cut to 64. */
export function toInt32(number: number): number {
  return toInt64(number) | 0
}

/** A number as C converts it to an unsigned integer of 64 bits. */
export function toUint64(number: number): bigint {
  const fitting = number >= BEYOND_INT64 ? toInt64(number - BEYOND_INT64) + BEYOND_INT64 : toInt64(number)
  return BigInt.asUintN(64, BigInt(fitting))
}
