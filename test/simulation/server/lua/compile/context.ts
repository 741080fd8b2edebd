import type { Expression, LogicalExpression, Node } from 'luaparse'
import type { Table } from '../run/table.js'
import type { Site } from '../run/thread.js'
import { numberOf } from './constants.js'
import type { FunctionScope, Resolution } from '../syntax/resolve.js'
import type { Source } from '../syntax/source.js'

/** What a part of a script is compiled with. */
export interface Context {
  /** What errors name as the script. */
  readonly chunkName: string
  /** What names stand for that are no variables. */
  readonly globals: Table
  readonly source: Source
  readonly resolution: Resolution
  /** The function that it is part of. */
  readonly scope: FunctionScope
  /** What each function has for zero: Lua keeps one constant for 0 and -0, which is the first of the two. */
  readonly zeros: Map<FunctionScope, number>
}

/** Where errors say that a node is. Lua knows the line on which it ends. */
export function siteOf(node: Node, { chunkName }: Context): Site {
  return { source: chunkName, line: node.loc?.end.line ?? 0 }
}

/** What errors call the value of an expression, such as `local 'x'`; undefined where it has no name. */
export function nameOf(node: Expression, context: Context): string | undefined {
  const { resolution, scope, source } = context
  switch (node.type) {
    case 'Identifier': {
      const owner = resolution.variables.get(node)?.owner
      return `${owner === undefined ? 'global' : owner === scope ? 'local' : 'upvalue'} '${node.name}'`
    }
    case 'MemberExpression':
      return `field '${node.identifier.name}'`
    case 'IndexExpression':
      return `field '${node.index.type === 'StringLiteral' ? source.stringOf(node.index) : '?'}'`
    case 'LogicalExpression':
      return isDecided(node) ? nameOf(node.right, context) : undefined
    default:
      return undefined
  }
}

/** Whether it is known before the script runs that the right side is the value. */
function isDecided({ operator, left }: LogicalExpression): boolean {
  return knownTruth(left) === (operator === 'and')
}

/** Whether a constant counts as true; undefined for what is none. */
function knownTruth(node: Expression): boolean | undefined {
  switch (node.type) {
    case 'NilLiteral':
      return false
    case 'BooleanLiteral':
      return node.value
    case 'StringLiteral':
      return true
    case 'UnaryExpression': {
      const truth = knownTruth(node.argument)
      return node.operator === 'not' && truth !== undefined ? !truth : knownNumber(node)
    }
    default:
      return knownNumber(node)
  }
}

/** All numbers count as true. */
function knownNumber(node: Expression): true | undefined {
  return numberOf(node) === undefined ? undefined : true
}
