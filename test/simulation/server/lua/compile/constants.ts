import type { Expression } from 'luaparse'
import { arithmetic } from '../run/arithmetic.js'
import { Table } from '../run/table.js'
import type { Value } from '../run/values.js'
import type { Context } from './context.js'

/** Globals that each run has its own of. */
const OF_EACH_RUN: ReadonlySet<string> = new Set(['KEYS', 'ARGV'])

/** The value of an expression that is always the same, as `redis.call` is: scripts cannot change the library. Undefined if there is none. */
export function constantOf(node: Expression, context: Context): Value {
  switch (node.type) {
    case 'Identifier':
      return isGlobal(node, context) && !OF_EACH_RUN.has(node.name)
        ? context.globals.get(node.name)
        : undefined
    case 'MemberExpression':
      return node.indexer === '.' ? memberOf(constantOf(node.base, context), node.identifier.name) : undefined
    default:
      return undefined
  }
}

/** The number that an expression of numbers is. Lua computes it before it runs the script. */
export function numberOf(node: Expression): number | undefined {
  switch (node.type) {
    case 'NumericLiteral':
      return node.value
    case 'UnaryExpression': {
      const number = node.operator === '-' ? numberOf(node.argument) : undefined
      return number === undefined ? undefined : -number
    }
    case 'BinaryExpression':
      return folded(node.operator, numberOf(node.left), numberOf(node.right))
    default:
      return undefined
  }
}

/** The same number, or the zero that its function has. */
export function keptNumber(number: number, { zeros, scope }: Context): number {
  if (number !== 0) return number
  const zero = zeros.get(scope) ?? number
  zeros.set(scope, zero)
  return zero
}

function isGlobal(node: Expression, { resolution }: Context): boolean {
  return node.type === 'Identifier' && !resolution.variables.has(node)
}

function memberOf(base: Value, key: string): Value {
  return base instanceof Table && base.isReadonly && !base.metatable ? base.get(key) : undefined
}

function folded(operator: string, left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined || !isArithmetic(operator)) return undefined
  if (right === 0 && (operator === '/' || operator === '%')) return undefined
  const result = arithmetic[operator].apply(left, right)
  return Number.isNaN(result) ? undefined : result
}

export function isArithmetic(operator: string): operator is keyof typeof arithmetic {
  return operator in arithmetic
}
