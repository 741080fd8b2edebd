import type { Chunk, FunctionDeclaration } from 'luaparse'
import { failure } from '../run/errors.js'
import { Table } from '../run/table.js'
import { Func, NO_VALUES, type TailCall, type Values } from '../run/values.js'
import type { FunctionScope, ResolvedFunction, Variable } from '../syntax/resolve.js'
import type { Context } from './context.js'
import { BREAK, type Cell, type Completion, type Execute, Frame } from './frame.js'
import { compileBlock } from './statements.js'
import { cellOf, declaredBy, declaring, type Store } from './variables.js'

/** How many functions may run within each other. Lua allows for 20 000, for which the stack of JavaScript does not suffice. */
const DEEPEST = 200

const OF_SCRIPT = { isOfScript: true }

/** The function that a script is. */
export function compileMain(chunk: Chunk, context: Context): Func {
  const { slots } = context.scope
  const execute = compileBlock(chunk.body, context)
  return new Func((args, thread) => resultsOf(execute(new Frame(thread, slots, [], args))), OF_SCRIPT)
}

/** An expression that makes a function, with the variables around it as they are then. */
export function compileFunction(node: FunctionDeclaration, context: Context): (frame: Frame) => Func {
  const resolved = resolvedFunction(node, context)
  const { scope } = resolved
  const captured = scope.upvalues.map((variable) => cellOf(variable, context.scope))
  const execute = compileBlock(node.body, { ...context, scope })
  const enter = compileParameters(node, resolved, context)
  return (frame) => {
    const upvalues = captured.map((cell) => cell(frame))
    return new Func(bodyOf(scope, execute, enter, upvalues), OF_SCRIPT)
  }
}

function bodyOf(
  { slots }: FunctionScope,
  execute: Execute,
  { named, setNamed }: Parameters,
  upvalues: readonly Cell[],
): Func['body'] {
  return (args, thread) => {
    const varargs = args.length > named ? args.slice(named) : NO_VALUES
    const frame = new Frame(thread, slots, upvalues, varargs)
    setNamed(frame, args)
    if (thread.depth === DEEPEST) throw failure(thread, 'stack overflow')
    thread.depth += 1
    const completion = execute(frame)
    thread.depth -= 1
    return resultsOf(completion)
  }
}

interface Parameters {
  readonly named: number
  readonly setNamed: (frame: Frame, args: Values) => void
}

function compileParameters(
  node: FunctionDeclaration,
  { self, arg, scope }: ResolvedFunction,
  context: Context,
): Parameters {
  const variables = parametersOf(node, self, context)
  const stores = variables.map(declaring)
  const storeArg = arg && declaring(arg)
  const setArg: Store | undefined =
    storeArg && ((frame) => storeArg(frame, scope.usesVarargs ? undefined : tableOf(frame.varargs)))
  return {
    named: variables.length,
    setNamed: (frame, args) => {
      for (let at = 0; at < stores.length; at++) stores[at]?.(frame, args[at])
      setArg?.(frame, undefined)
    },
  }
}

function parametersOf(node: FunctionDeclaration, self: Variable | undefined, context: Context): Variable[] {
  const named = node.parameters.flatMap((parameter) =>
    parameter.type === 'Identifier' ? [declaredBy(parameter, context)] : [],
  )
  return self ? [self, ...named] : named
}

/** The table that `arg` is. */
function tableOf(varargs: Values): Table {
  const table = new Table(varargs.length, 1)
  varargs.forEach((value, at) => {
    table.set(at + 1, value)
  })
  table.set('n', varargs.length)
  return table
}

function resultsOf(completion: Completion): Values | TailCall {
  return completion === undefined || completion === BREAK ? NO_VALUES : completion
}

function resolvedFunction(node: FunctionDeclaration, { resolution }: Context): ResolvedFunction {
  const resolved = resolution.functions.get(node)
  if (!resolved) throw new Error('A function was not resolved')
  return resolved
}
