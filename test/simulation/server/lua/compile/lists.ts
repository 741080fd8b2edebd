import type { Expression, Node, VarargLiteral } from 'luaparse'
import { NO_VALUES, type Values } from '../run/values.js'
import { type Call, compileCall, isCall } from './calls.js'
import type { Context } from './context.js'
import { compileExpression } from './expressions.js'
import type { Evaluate, EvaluateAll, Frame } from './frame.js'

/**
 * All values of a list of expressions: the last one gives as many as it has, and all others one.
 *
 * @param parent - what the list is in parentheses with, as the arguments of a call
 */
export function compileList(nodes: readonly Expression[], context: Context, parent?: Node): EvaluateAll {
  const open = openEnd(nodes, context, parent)
  const single = open ? nodes.slice(0, -1) : nodes
  const head = single.map((node) => compileExpression(node, context))
  if (!open) return oneOfEach(head)
  const tail = compileOpen(open, context)
  if (head.length === 0) return tail
  return (frame) => {
    const values = head.map((evaluate) => evaluate(frame))
    values.push(...tail(frame))
    return values
  }
}

/** The last expression of a list, if it may give any number of values. */
export function openEnd(nodes: readonly Expression[], { source }: Context, parent?: Node): Open | undefined {
  const last = nodes.at(-1)
  return last && isOpen(last) && !source.isParenthesized(last, parent) ? last : undefined
}

/** All values of such an expression. */
export function compileOpen(node: Open, context: Context): EvaluateAll {
  return isCall(node) ? compileCall(node, context) : varargs
}

type Open = Call | VarargLiteral

function isOpen(node: Expression): node is Open {
  return node.type === 'VarargLiteral' || isCall(node)
}

function varargs(frame: Frame): Values {
  return frame.varargs
}

/** Lists of up to three expressions, which most are, are evaluated without a loop. */
function oneOfEach(expressions: readonly Evaluate[]): EvaluateAll {
  const [first, second, third] = expressions
  if (!first) return () => NO_VALUES
  if (!second) return (frame) => [first(frame)]
  if (!third) return (frame) => [first(frame), second(frame)]
  if (expressions.length === 3) return (frame) => [first(frame), second(frame), third(frame)]
  return (frame) => expressions.map((evaluate) => evaluate(frame))
}
