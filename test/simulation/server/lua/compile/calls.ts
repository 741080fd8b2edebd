import type {
  CallExpression,
  Expression,
  MemberExpression,
  StringCallExpression,
  TableCallExpression,
} from 'luaparse'
import { library } from '../library/library.js'
import { call, callLast } from '../run/calls.js'
import { index } from '../run/indexing.js'
import type { Caller, Site } from '../run/thread.js'
import type { Value, Values } from '../run/values.js'
import { type Context, nameOf, siteOf } from './context.js'
import { compileExpression } from './expressions.js'
import type { EvaluateAll, Execute, Frame } from './frame.js'
import { compileList } from './lists.js'

export type Call = CallExpression | TableCallExpression | StringCallExpression

export function isCall(node: Expression): node is Call {
  return (
    node.type === 'CallExpression' ||
    node.type === 'TableCallExpression' ||
    node.type === 'StringCallExpression'
  )
}

/** A call, with all its results. */
export function compileCall(node: Call, context: Context): EvaluateAll {
  return compileInvocation(node, call, siteOfCall(node, context), context)
}

/** A call that is the last thing that a function does. */
export function compileTailCall(node: Call, context: Context): Execute {
  return compileInvocation(node, callLast, { ...siteOfCall(node, context), isTailCall: true }, context)
}

/** How a value is called. */
type Invoke<R> = (callee: Value, args: Values, caller: Caller, site: Site, name?: string) => R

function compileInvocation<R>(
  node: Call,
  invoke: Invoke<R>,
  site: Site,
  context: Context,
): (frame: Frame) => R {
  return isMethod(node.base)
    ? compileMethodCall(node.base, node, invoke, site, context)
    : compileFunctionCall(node, invoke, site, context)
}

function compileFunctionCall<R>(
  node: Call,
  invoke: Invoke<R>,
  site: Site,
  context: Context,
): (frame: Frame) => R {
  const callee = compileExpression(node.base, context)
  const args = compileArguments(node, context)
  const name = nameOf(node.base, context)
  return (frame) => invoke(callee(frame), args(frame), frame, site, name)
}

function compileMethodCall<R>(
  { base, identifier }: MemberExpression,
  node: Call,
  invoke: Invoke<R>,
  site: Site,
  context: Context,
): (frame: Frame) => R {
  const object = compileExpression(base, context)
  const args = compileArguments(node, context)
  const objectName = nameOf(base, context)
  const methodName = `method '${identifier.name}'`
  const ofStrings = library.ofStrings.get(identifier.name)
  return (frame) => {
    const self = object(frame)
    const method =
      typeof self === 'string' ? ofStrings : index(self, identifier.name, frame, site, objectName)
    return invoke(method, [self, ...args(frame)], frame, site, methodName)
  }
}

function compileArguments(node: Call, context: Context): EvaluateAll {
  switch (node.type) {
    case 'CallExpression':
      return compileList(node.arguments, context, node)
    case 'TableCallExpression':
      return compileList([node.arguments], context, node)
    case 'StringCallExpression':
      return compileList([node.argument], context, node)
  }
}

/** Lua counts a call to the line of its arguments' beginning. */
function siteOfCall({ base }: Call, context: Context): Site {
  const name = isMethod(base) ? base.identifier.name : /'(.*)'/s.exec(nameOf(base, context) ?? '')?.[1]
  return { ...siteOf(base, context), name, isMethod: isMethod(base) }
}

function isMethod(node: Expression): node is MemberExpression {
  return node.type === 'MemberExpression' && node.indexer === ':'
}
