import type { Identifier } from 'luaparse'
import type { Value } from '../run/values.js'
import type { FunctionScope, Variable } from '../syntax/resolve.js'
import type { Context } from './context.js'
import { Cell, type Evaluate, type Frame } from './frame.js'

export type Store = (frame: Frame, value: Value) => void

/** Gives a new variable its first value. */
export function declaring(variable: Variable): Store {
  const { slot } = variable
  return variable.isCaptured
    ? (frame, value) => {
        frame.cells[slot] = new Cell(value)
      }
    : (frame, value) => {
        frame.slots[slot] = value
      }
}

export function reading(variable: Variable, scope: FunctionScope): Evaluate {
  const { slot } = variable
  if (variable.owner === scope && !variable.isCaptured) return (frame) => frame.slots[slot]
  const cell = cellOf(variable, scope)
  return (frame) => cell(frame).value
}

export function assigning(variable: Variable, scope: FunctionScope): Store {
  if (variable.owner === scope && !variable.isCaptured) return declaring(variable)
  const cell = cellOf(variable, scope)
  return (frame, value) => {
    cell(frame).value = value
  }
}

/** The cell of a variable that is captured. */
export function cellOf(variable: Variable, scope: FunctionScope): (frame: Frame) => Cell {
  const { slot } = variable
  if (variable.owner === scope) return (frame) => frame.cells[slot] as Cell
  const index = scope.upvalueIndex(variable)
  return (frame) => frame.upvalues[index] as Cell
}

/** The variable that a declaration makes. */
export function declaredBy(identifier: Identifier, { resolution }: Context): Variable {
  const variable = resolution.variables.get(identifier)
  if (!variable) throw new Error(`The variable '${identifier.name}' was not resolved`)
  return variable
}

/**
 * Whether an operand is read only when its operation is carried out, and may have been changed by a call in the other operand. So it is
 * for the variables of the function itself, which Lua does not copy.
 */
export function isReadLate(node: { readonly type: string }, { resolution, scope }: Context): boolean {
  const variable = node.type === 'Identifier' ? resolution.variables.get(node as Identifier) : undefined
  return variable?.owner === scope && variable.isCaptured
}
