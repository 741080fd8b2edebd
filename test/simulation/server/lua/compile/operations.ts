import type { BinaryExpression, UnaryExpression } from 'luaparse'
import { arithmetic, type Arithmetic, calculate, negation, type Names } from '../run/arithmetic.js'
import { equals, isLess, isLessOrEqual } from '../run/comparing.js'
import { concatenate, lengthOf } from '../run/texts.js'
import type { Caller, Site } from '../run/thread.js'
import { isTrue, type Value } from '../run/values.js'
import { isArithmetic } from './constants.js'
import { type Context, nameOf, siteOf } from './context.js'
import { compileExpression } from './expressions.js'
import type { Evaluate } from './frame.js'
import { isReadLate } from './variables.js'

type Comparison = (left: Value, right: Value, caller: Caller, site: Site) => boolean

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': equals,
  '~=': (left, right, caller, site) => !equals(left, right, caller, site),
  '<': isLess,
  '<=': isLessOrEqual,
  '>': (left, right, caller, site) => isLess(right, left, caller, site),
  '>=': (left, right, caller, site) => isLessOrEqual(right, left, caller, site),
}

export function compileUnary(node: UnaryExpression, context: Context): Evaluate {
  const operand = compileExpression(node.argument, context)
  const site = siteOf(node, context)
  const name = nameOf(node.argument, context)
  const names = { left: name, right: name }
  switch (node.operator) {
    case 'not':
      return (frame) => !isTrue(operand(frame))
    case '#':
      return (frame) => lengthOf(operand(frame), frame, site, name)
    default:
      return (frame) => {
        const value = operand(frame)
        return typeof value === 'number' ? -value : calculate(negation, value, value, frame, site, names)
      }
  }
}

export function compileBinary(node: BinaryExpression, context: Context): Evaluate {
  const { operator } = node
  const comparison = comparisons[operator]
  if (comparison) return compileComparison(comparison, node, context)
  if (isArithmetic(operator)) return compileArithmetic(arithmetic[operator], node, context)
  return compileConcatenation(node, context)
}

function compileComparison(comparison: Comparison, node: BinaryExpression, context: Context): Evaluate {
  const left = compileExpression(node.left, context)
  const right = compileExpression(node.right, context)
  const isLate = isReadLate(node.left, context)
  const site = siteOf(node, context)
  return (frame) => {
    const early = left(frame)
    const second = right(frame)
    return comparison(isLate ? left(frame) : early, second, frame, site)
  }
}

function compileArithmetic(operation: Arithmetic, node: BinaryExpression, context: Context): Evaluate {
  const left = compileExpression(node.left, context)
  const right = compileExpression(node.right, context)
  const isLate = isReadLate(node.left, context)
  const { apply } = operation
  const site = siteOf(node, context)
  const names = namesOf(node, context)
  return (frame) => {
    const early = left(frame)
    const second = right(frame)
    const first = isLate ? left(frame) : early
    return typeof first === 'number' && typeof second === 'number'
      ? apply(first, second)
      : calculate(operation, first, second, frame, site, names)
  }
}

function compileConcatenation(node: BinaryExpression, context: Context): Evaluate {
  const left = compileExpression(node.left, context)
  const right = compileExpression(node.right, context)
  const site = siteOf(node, context)
  const names = namesOf(node, context)
  return (frame) => {
    const first = left(frame)
    const second = right(frame)
    return typeof first === 'string' && typeof second === 'string'
      ? first + second
      : concatenate(first, second, frame, site, names)
  }
}

function namesOf(node: BinaryExpression, context: Context): Names {
  return { left: nameOf(node.left, context), right: nameOf(node.right, context) }
}
