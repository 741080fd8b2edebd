import { power } from '../run/arithmetic.js'
import { failure } from '../run/errors.js'
import type { Thread } from '../run/thread.js'
import { type Body, NO_VALUES, type Value, type Values } from '../run/values.js'
import type { Arguments } from './arguments.js'
import { checking, giving } from './functions.js'

const DEGREES_OF_RADIAN = 180 / Math.PI

/** The library `math`. */
export const math: { functions: Record<string, Body>; values: Record<string, Value> } = {
  functions: {
    abs: ofOne(Math.abs),
    acos: ofOne(Math.acos),
    asin: ofOne(Math.asin),
    atan: ofOne(Math.atan),
    atan2: ofTwo(Math.atan2),
    ceil: ofOne(Math.ceil),
    cos: ofOne(Math.cos),
    cosh: ofOne(Math.cosh),
    deg: ofOne((radians) => radians * DEGREES_OF_RADIAN),
    exp: ofOne(Math.exp),
    floor: ofOne(Math.floor),
    fmod: ofTwo(remainder),
    frexp: checking((args) => fractionAndExponent(args.number(1))),
    ldexp: giving((args) => scaled(args.number(1), args.integer(2))),
    log: ofOne(Math.log),
    log10: ofOne(Math.log10),
    max: giving((args) => most(args, (one, other) => one > other)),
    min: giving((args) => most(args, (one, other) => one < other)),
    mod: ofTwo(remainder),
    modf: checking((args) => parts(args.number(1))),
    pow: ofTwo(power),
    rad: ofOne((degrees) => degrees / DEGREES_OF_RADIAN),
    random: giving(random),
    randomseed: checking((args, { random: numbers }) => {
      numbers.seed(args.integer(1))
      return NO_VALUES
    }),
    sin: ofOne(Math.sin),
    sinh: ofOne(Math.sinh),
    sqrt: ofOne(Math.sqrt),
    tan: ofOne(Math.tan),
    tanh: ofOne(Math.tanh),
  },
  values: { huge: Infinity, pi: Math.PI },
}

function ofOne(compute: (number: number) => number): Body {
  return giving((args) => compute(args.number(1)))
}

function ofTwo(compute: (one: number, other: number) => number): Body {
  return giving((args) => compute(args.number(1), args.number(2)))
}

function remainder(dividend: number, divisor: number): number {
  return dividend % divisor
}

/** The argument that none is before, in an order. */
function most(args: Arguments, isBefore: (one: number, other: number) => boolean): number {
  let found = args.number(1)
  for (let position = 2; position <= args.count; position++) {
    const number = args.number(position)
    if (isBefore(number, found)) found = number
  }
  return found
}

/** A number as a whole one, and what is left. */
function parts(number: number): Values {
  const whole = Math.trunc(number)
  return [
    whole,
    Number.isFinite(number) ? withSignOf(number, number - whole) : withSignOf(number, number - number || 0),
  ]
}

function withSignOf(model: number, number: number): number {
  return Object.is(number, 0) && (model < 0 || Object.is(model, -0)) ? -0 : number
}

/** A number as a fraction from 0.5 on and below 1, times a power of two. */
function fractionAndExponent(number: number): Values {
  if (number === 0 || !Number.isFinite(number)) return [number, 0]
  let fraction = number
  let exponent = 0
  for (; Math.abs(fraction) >= 1; exponent++) fraction /= 2
  for (; Math.abs(fraction) < 0.5; exponent--) fraction *= 2
  return [fraction, exponent]
}

/** A number times a power of two. The power itself may be too large for a number. */
function scaled(number: number, exponent: number): number {
  let result = number
  let rest = exponent
  for (; rest > MOST_AT_ONCE && Number.isFinite(result); rest -= MOST_AT_ONCE) result *= 2 ** MOST_AT_ONCE
  for (; rest < -MOST_AT_ONCE && result !== 0; rest += MOST_AT_ONCE) result /= 2 ** MOST_AT_ONCE
  return Math.abs(rest) > MOST_AT_ONCE ? result : result * 2 ** rest
}

const MOST_AT_ONCE = 1000

/** A number between 0 and 1, or an integer from 1 or a first one to a last one. */
function random(args: Arguments, thread: Thread): number {
  const number = thread.random.next()
  if (args.count === 0) return number
  if (args.count > 2) throw failure(thread, 'wrong number of arguments')
  const first = args.count === 1 ? 1 : args.integer(1)
  const last = args.integer(args.count)
  if (first > last) throw args.error(args.count, 'interval is empty')
  return Math.floor(number * (last - first + 1)) + first
}
