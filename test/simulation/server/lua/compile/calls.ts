import type {
  CallExpression,
  Expression,
  MemberExpression,
  StringCallExpression,
  TableCallExpression,
} from 'luaparse'
import { library } from '../library/library.js'
import { call } from '../run/calls.js'
import { index } from '../run/indexing.js'
import type { Site } from '../run/thread.js'
import { Func } from '../run/values.js'
import { constantOf } from './constants.js'
import { type Context, nameOf, siteOf } from './context.js'
import { compileExpression } from './expressions.js'
import type { EvaluateAll } from './frame.js'
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
export function compileCall(node: Call, context: Context, { isTailCall = false } = {}): EvaluateAll {
  const { base } = node
  const args = compileArguments(node, context)
  if (isMethod(base)) return compileMethodCall(base, args, siteOfCall(node, context, isTailCall), context)
  return compileFunctionCall(base, args, siteOfCall(node, context, isTailCall), context)
}

function compileFunctionCall(base: Expression, args: EvaluateAll, site: Site, context: Context): EvaluateAll {
  const constant = constantOf(base, context)
  if (constant instanceof Func) {
    const { body } = constant
    return (frame) => {
      const values = args(frame)
      const { thread } = frame
      thread.caller = frame
      thread.site = site
      return body(values, thread)
    }
  }
  const callee = compileExpression(base, context)
  const name = nameOf(base, context)
  return (frame) => call(callee(frame), args(frame), frame, site, name)
}

function compileMethodCall(
  { base, identifier }: MemberExpression,
  args: EvaluateAll,
  site: Site,
  context: Context,
): EvaluateAll {
  const object = compileExpression(base, context)
  const objectName = nameOf(base, context)
  const methodName = `method '${identifier.name}'`
  const ofStrings = library.ofStrings.get(identifier.name)
  return (frame) => {
    const self = object(frame)
    const method =
      typeof self === 'string' ? ofStrings : index(self, identifier.name, frame, site, objectName)
    return call(method, [self, ...args(frame)], frame, site, methodName)
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
function siteOfCall({ base }: Call, context: Context, isTailCall: boolean): Site {
  const name = isMethod(base) ? base.identifier.name : /'(.*)'/s.exec(nameOf(base, context) ?? '')?.[1]
  return { ...siteOf(base), name, isMethod: isMethod(base), isTailCall }
}

function isMethod(node: Expression): node is MemberExpression {
  return node.type === 'MemberExpression' && node.indexer === ':'
}
