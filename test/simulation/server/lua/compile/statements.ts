import type {
  CallStatement,
  IfStatement,
  RepeatStatement,
  ReturnStatement,
  Statement,
  WhileStatement,
} from 'luaparse'
import { isTrue } from '../run/values.js'
import { compileAssignment, compileFunctionStatement, compileLocal } from './assignments.js'
import { compileCall, compileTailCall, isCall } from './calls.js'
import type { Context } from './context.js'
import { compileExpression } from './expressions.js'
import { BREAK, type Evaluate, type Execute } from './frame.js'
import { compileList } from './lists.js'
import { compileGenericFor, compileNumericFor } from './loops.js'

/** Statements one after another, until one of them ends the block. */
export function compileBlock(statements: readonly Statement[], context: Context): Execute {
  const compiled = statements.map((statement) => compileStatement(statement, context))
  const [only] = compiled
  if (only && compiled.length === 1) return only
  return (frame) => {
    for (const execute of compiled) {
      const completion = execute(frame)
      if (completion !== undefined) return completion
    }
    return undefined
  }
}

function compileStatement(node: Statement, context: Context): Execute {
  switch (node.type) {
    case 'LocalStatement':
      return compileLocal(node, context)
    case 'AssignmentStatement':
      return compileAssignment(node, context)
    case 'FunctionDeclaration':
      return compileFunctionStatement(node, context)
    case 'CallStatement':
      return compileCallStatement(node, context)
    case 'ReturnStatement':
      return compileReturn(node, context)
    case 'BreakStatement':
      return () => BREAK
    case 'DoStatement':
      return compileBlock(node.body, context)
    case 'IfStatement':
      return compileIf(node, context)
    case 'WhileStatement':
      return compileWhile(node, context)
    case 'RepeatStatement':
      return compileRepeat(node, context)
    case 'ForNumericStatement':
      return compileNumericFor(node, context)
    case 'ForGenericStatement':
      return compileGenericFor(node, context)
    case 'LabelStatement':
    case 'GotoStatement':
      throw new Error('Lua 5.1 has no goto')
  }
}

function compileCallStatement({ expression }: CallStatement, context: Context): Execute {
  const callAll = compileCall(expression, context)
  return (frame) => {
    callAll(frame)
    return undefined
  }
}

function compileReturn({ arguments: values }: ReturnStatement, context: Context): Execute {
  const [only] = values
  const isTailCall = only && values.length === 1 && isCall(only) && !context.source.isParenthesized(only)
  return isTailCall ? compileTailCall(only, context) : compileList(values, context)
}

interface Clause {
  readonly condition: Evaluate
  readonly execute: Execute
}

function compileIf(node: IfStatement, context: Context): Execute {
  const clauses = node.clauses.map((clause): Clause => {
    const condition: Evaluate =
      clause.type === 'ElseClause' ? () => true : compileExpression(clause.condition, context)
    return { condition, execute: compileBlock(clause.body, context) }
  })
  const [only] = clauses
  if (only && clauses.length === 1) {
    const { condition, execute } = only
    return (frame) => (isTrue(condition(frame)) ? execute(frame) : undefined)
  }
  return (frame) => {
    for (const { condition, execute } of clauses) {
      if (isTrue(condition(frame))) return execute(frame)
    }
    return undefined
  }
}

function compileWhile(node: WhileStatement, context: Context): Execute {
  const condition = compileExpression(node.condition, context)
  const execute = compileBlock(node.body, context)
  return (frame) => {
    while (isTrue(condition(frame))) {
      const completion = execute(frame)
      if (completion === BREAK) break
      if (completion !== undefined) return completion
    }
    return undefined
  }
}

function compileRepeat(node: RepeatStatement, context: Context): Execute {
  const condition = compileExpression(node.condition, context)
  const execute = compileBlock(node.body, context)
  return (frame) => {
    do {
      const completion = execute(frame)
      if (completion === BREAK) break
      if (completion !== undefined) return completion
    } while (!isTrue(condition(frame)))
    return undefined
  }
}
