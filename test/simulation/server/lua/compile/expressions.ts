import type { Expression, Identifier, LogicalExpression } from 'luaparse'
import { index } from '../run/indexing.js'
import { isTrue, type Value } from '../run/values.js'
import { compileCall } from './calls.js'
import { constantOf, keptNumber, numberOf } from './constants.js'
import { type Context, siteOf } from './context.js'
import type { Evaluate } from './frame.js'
import { compileFunction } from './functions.js'
import { compileIndex, compileMember } from './indexes.js'
import { compileBinary, compileUnary } from './operations.js'
import { compileConstructor } from './constructors.js'
import { reading } from './variables.js'

/** An expression, with its first value. */
export function compileExpression(node: Expression, context: Context): Evaluate {
  const number = numberOf(node)
  if (number !== undefined) return always(keptNumber(number, context))
  const constant = constantOf(node, context)
  if (constant !== undefined) return always(constant)
  return compileByType(node, context)
}

function compileByType(node: Expression, context: Context): Evaluate {
  switch (node.type) {
    case 'NilLiteral':
      return always(undefined)
    case 'BooleanLiteral':
    case 'NumericLiteral':
      return always(node.value)
    case 'StringLiteral':
      return always(context.source.stringOf(node))
    case 'VarargLiteral':
      return (frame) => frame.varargs[0]
    case 'Identifier':
      return compileName(node, context)
    case 'FunctionDeclaration':
      return compileFunction(node, context)
    case 'TableConstructorExpression':
      return compileConstructor(node, context)
    case 'UnaryExpression':
      return compileUnary(node, context)
    case 'BinaryExpression':
      return compileBinary(node, context)
    case 'LogicalExpression':
      return compileLogical(node, context)
    case 'MemberExpression':
      return compileMember(node, context)
    case 'IndexExpression':
      return compileIndex(node, context)
    case 'CallExpression':
    case 'TableCallExpression':
    case 'StringCallExpression': {
      const all = compileCall(node, context)
      return (frame) => all(frame)[0]
    }
  }
}

function always(value: Value): Evaluate {
  return () => value
}

/** A variable, or a global one, which may not exist. */
function compileName(node: Identifier, context: Context): Evaluate {
  const variable = context.resolution.variables.get(node)
  if (variable) return reading(variable, context.scope)
  const site = siteOf(node, context)
  return (frame) => index(context.globals, node.name, frame, site)
}

function compileLogical(node: LogicalExpression, context: Context): Evaluate {
  const left = compileExpression(node.left, context)
  const right = compileExpression(node.right, context)
  const isDecidedBy = node.operator === 'or'
  return (frame) => {
    const value = left(frame)
    return isTrue(value) === isDecidedBy ? value : right(frame)
  }
}
