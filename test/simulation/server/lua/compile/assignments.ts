import type {
  AssignmentStatement,
  Expression,
  FunctionDeclaration,
  Identifier,
  LocalStatement,
} from 'luaparse'
import { setIndex } from '../run/indexing.js'
import type { Site } from '../run/thread.js'
import type { Value } from '../run/values.js'
import { type Context, nameOf, siteOf } from './context.js'
import { compileExpression } from './expressions.js'
import type { Evaluate, Execute, Frame } from './frame.js'
import { compileFunction } from './functions.js'
import { compileList } from './lists.js'
import { assigning, declaredBy, declaring, isReadLate, type Store } from './variables.js'

/** `local a, b = 1, 2` */
export function compileLocal(node: LocalStatement, context: Context): Execute {
  const stores = node.variables.map((variable) => declaring(declaredBy(variable, context)))
  const [store] = stores
  const [init] = node.init
  if (store && stores.length === 1 && node.init.length <= 1) return storeOne(store, init, context)
  const values = compileList(node.init, context)
  return (frame) => {
    const all = values(frame)
    stores.forEach((storeNext, at) => storeNext(frame, all[at]))
    return undefined
  }
}

function storeOne(store: Store, init: Expression | undefined, context: Context): Execute {
  const value: Evaluate = init ? compileExpression(init, context) : () => undefined
  return (frame) => {
    store(frame, value(frame))
    return undefined
  }
}

/** `function f() end`, local or not */
export function compileFunctionStatement(node: FunctionDeclaration, context: Context): Execute {
  const { identifier } = node
  if (!identifier) throw new Error('A function that is a statement has a name')
  const make = compileFunction(node, context)
  if (identifier.type === 'Identifier' && node.isLocal) return compileLocalFunction(identifier, make, context)
  const { prepare } = compileTarget(identifier, siteOf(node, context), context)
  return (frame) => {
    prepare(frame)(make(frame))
    return undefined
  }
}

/** It can call itself. */
function compileLocalFunction(identifier: Identifier, make: Evaluate, context: Context): Execute {
  const variable = declaredBy(identifier, context)
  const declare = declaring(variable)
  const assign = assigning(variable, context.scope)
  return (frame) => {
    declare(frame, undefined)
    assign(frame, make(frame))
    return undefined
  }
}

/** `a, b = 1, 2` */
export function compileAssignment(node: AssignmentStatement, context: Context): Execute {
  const site = siteOf(node, context)
  const targets = node.variables.map((target) => compileTarget(target, site, context))
  const [target] = targets
  const [init] = node.init
  if (target && init && targets.length === 1 && node.init.length === 1) {
    return assignOne(target, compileExpression(init, context))
  }
  const values = compileList(node.init, context)
  return (frame) => {
    const setters = targets.map(({ prepare }) => prepare(frame))
    const all = values(frame)
    for (let at = setters.length - 1; at >= 0; at--) setters[at]?.(all[at])
    return undefined
  }
}

function assignOne({ assign }: Target, value: Evaluate): Execute {
  return (frame) => {
    assign(frame, value)
    return undefined
  }
}

/** What a value is assigned to. */
interface Target {
  /** Finds out what it is, and returns what sets it. */
  readonly prepare: (frame: Frame) => (value: Value) => void
  /** The same for one value, which is evaluated in between. */
  readonly assign: (frame: Frame, value: Evaluate) => void
}

function compileTarget(node: AssignmentStatement['variables'][number], site: Site, context: Context): Target {
  if (node.type !== 'Identifier') {
    const key: Evaluate =
      node.type === 'MemberExpression' ? nameAsKey(node.identifier) : compileExpression(node.index, context)
    const isKeyLate = node.type === 'IndexExpression' && isReadLate(node.index, context)
    return compileElement(node.base, { key, isKeyLate }, site, context)
  }
  const variable = context.resolution.variables.get(node)
  if (!variable) return compileGlobal(node, site, context)
  const store = assigning(variable, context.scope)
  return {
    prepare: (frame) => (value) => store(frame, value),
    assign: (frame, value) => store(frame, value(frame)),
  }
}

function nameAsKey({ name }: Identifier): Evaluate {
  return () => name
}

/** The library refuses it. */
function compileGlobal({ name }: Identifier, site: Site, { globals }: Context): Target {
  return {
    prepare: (frame) => (value) => setIndex(globals, name, value, frame, site),
    assign: (frame, value) => setIndex(globals, name, value(frame), frame, site),
  }
}

interface Key {
  readonly key: Evaluate
  readonly isKeyLate: boolean
}

function compileElement(baseNode: Expression, { key, isKeyLate }: Key, site: Site, context: Context): Target {
  const base = compileExpression(baseNode, context)
  const name = nameOf(baseNode, context)
  const isBaseLate = isReadLate(baseNode, context)
  return {
    prepare: (frame) => {
      const table = base(frame)
      const at = key(frame)
      return (value) => setIndex(table, at, value, frame, site, name)
    },
    assign: (frame, value) => {
      const earlyTable = base(frame)
      const earlyKey = key(frame)
      const assigned = value(frame)
      const table = isBaseLate ? base(frame) : earlyTable
      setIndex(table, isKeyLate ? key(frame) : earlyKey, assigned, frame, site, name)
    },
  }
}
