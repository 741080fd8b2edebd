import type { ForGenericStatement, ForNumericStatement } from 'luaparse'
import { asNumber } from '../run/arithmetic.js'
import { call } from '../run/calls.js'
import { operationFailure } from '../run/errors.js'
import type { Site } from '../run/thread.js'
import type { Value } from '../run/values.js'
import type { Context } from './context.js'
import { compileExpression } from './expressions.js'
import { BREAK, type Evaluate, type Execute, type Frame } from './frame.js'
import { compileList } from './lists.js'
import { compileBlock } from './statements.js'
import { declaredBy, declaring } from './variables.js'

/** `for i = 1, 10, 2 do` */
export function compileNumericFor(node: ForNumericStatement, context: Context): Execute {
  const start = compileExpression(node.start, context)
  const limit = compileExpression(node.end, context)
  const step: Evaluate = node.step ? compileExpression(node.step, context) : () => 1
  const declare = declaring(declaredBy(node.variable, context))
  const execute = compileBlock(node.body, context)
  const site = siteOfLoop(node, context)
  return (frame) => {
    const values = [start(frame), limit(frame), step(frame)] as const
    const from = bound(values[0], 'initial value', frame, site)
    const to = bound(values[1], 'limit', frame, site)
    const by = bound(values[2], 'step', frame, site)
    for (let at = from - by + by; by > 0 ? at <= to : to <= at; at += by) {
      declare(frame, at)
      const completion = execute(frame)
      if (completion === BREAK) break
      if (completion !== undefined) return completion
    }
    return undefined
  }
}

function bound(value: Value, what: string, frame: Frame, site: Site): number {
  const number = asNumber(value)
  if (number === undefined) throw operationFailure(`'for' ${what} must be a number`, frame, site)
  return number
}

/** `for key, value in pairs(t) do` */
export function compileGenericFor(node: ForGenericStatement, context: Context): Execute {
  const iterators = compileList(node.iterators, context)
  const declares = node.variables.map((variable) => declaring(declaredBy(variable, context)))
  const execute = compileBlock(node.body, context)
  const site = { ...siteOfLoop(node, context), name: '(for generator)' }
  return (frame) => {
    const [next, state, initial] = iterators(frame)
    let control = initial
    for (;;) {
      const values = call(next, [state, control], frame, site)
      control = values[0]
      if (control === undefined) return undefined
      for (let at = 0; at < declares.length; at++) declares[at]?.(frame, values[at])
      const completion = execute(frame)
      if (completion === BREAK) return undefined
      if (completion !== undefined) return completion
    }
  }
}

/** Lua counts what a loop does itself to the line on which it begins. */
function siteOfLoop(node: ForNumericStatement | ForGenericStatement, { chunkName }: Context): Site {
  return { source: chunkName, line: node.loc?.start.line ?? 0 }
}
