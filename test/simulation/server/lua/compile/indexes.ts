import type { IndexExpression, MemberExpression } from 'luaparse'
import { index, indexByMetatable } from '../run/indexing.js'
import { hashOf } from '../run/string-hash.js'
import { Table } from '../run/table.js'
import { type Context, nameOf, siteOf } from './context.js'
import { compileExpression } from './expressions.js'
import type { Evaluate } from './frame.js'
import { isReadLate } from './variables.js'

/** `base.name` */
export function compileMember(node: MemberExpression, context: Context): Evaluate {
  return compileField(node, node.identifier.name, context)
}

/** `base[key]` */
export function compileIndex(node: IndexExpression, context: Context): Evaluate {
  if (node.index.type === 'StringLiteral')
    return compileField(node, context.source.stringOf(node.index), context)
  const base = compileExpression(node.base, context)
  const key = compileExpression(node.index, context)
  const site = siteOf(node, context)
  const name = nameOf(node.base, context)
  const isLate = isReadLate(node.base, context)
  return (frame) => {
    const early = base(frame)
    const at = key(frame)
    return index(isLate ? base(frame) : early, at, frame, site, name)
  }
}

function compileField(node: MemberExpression | IndexExpression, key: string, context: Context): Evaluate {
  const base = compileExpression(node.base, context)
  const site = siteOf(node, context)
  const name = nameOf(node.base, context)
  const hash = hashOf(key)
  return (frame) => {
    const table = base(frame)
    const found = table instanceof Table ? table.getHashed(key, hash) : undefined
    return found ?? indexByMetatable(table, key, frame, site, name)
  }
}
