import type { Chunk, FunctionDeclaration, Identifier, Node, Statement, VarargLiteral } from 'luaparse'

/** A local variable. */
export interface Variable {
  readonly name: string
  readonly owner: FunctionScope
  /** Whether a function within its own uses it. It lives in a cell then, as that may outlive the call. */
  isCaptured: boolean
  /** Its place among the slots of the call, or among the cells. */
  readonly slot: number
}

/** What is known of one function, or of the script itself. */
export class FunctionScope {
  readonly parent: FunctionScope | undefined
  /** How many variables there are in all. */
  slots = 0
  /** The variables of functions around this one that it uses. */
  readonly upvalues: Variable[] = []
  /** Whether it uses `...`. */
  usesVarargs = false

  constructor(parent?: FunctionScope) {
    this.parent = parent
  }

  declare(name: string): Variable {
    return { name, owner: this, isCaptured: false, slot: this.slots++ }
  }

  upvalueIndex(variable: Variable): number {
    const index = this.upvalues.indexOf(variable)
    return index < 0 ? this.upvalues.push(variable) - 1 : index
  }
}

/** Which variable each name is. A name that is missing is global. */
export interface Resolution {
  readonly main: FunctionScope
  readonly functions: ReadonlyMap<FunctionDeclaration, ResolvedFunction>
  readonly variables: ReadonlyMap<Identifier, Variable>
}

export interface ResolvedFunction {
  readonly scope: FunctionScope
  /** What comes before all others: `self` of a method. */
  readonly self: Variable | undefined
  /** The arguments that have no names, as a table. Lua 5.1 still has it. */
  readonly arg: Variable | undefined
}

/** Finds out which variable each name of a script is, and where that lives. */
export function resolve(chunk: Chunk): Resolution {
  const resolver = new Resolver()
  resolver.block(chunk.body)
  return resolver
}

type Block = Map<string, Variable>

class Resolver implements Resolution {
  readonly main = new FunctionScope()
  readonly functions = new Map<FunctionDeclaration, ResolvedFunction>()
  readonly variables = new Map<Identifier, Variable>()
  #scope = this.main
  /** The innermost one is the last. */
  readonly #blocks: Block[] = [new Map()]

  block(statements: readonly Statement[], declare?: () => void): void {
    this.#within(() => {
      declare?.()
      for (const statement of statements) this.#visit(statement)
    })
  }

  #within(action: () => void): void {
    this.#blocks.push(new Map())
    action()
    this.#blocks.pop()
  }

  #visit(node: Node): void {
    switch (node.type) {
      case 'Identifier':
        this.#refer(node)
        return
      case 'MemberExpression':
        this.#visit(node.base)
        return
      case 'TableKeyString':
        this.#visit(node.value)
        return
      case 'VarargLiteral':
        this.#scope.usesVarargs = true
        return
      case 'LocalStatement':
        for (const value of node.init) this.#visit(value)
        for (const variable of node.variables) this.#declare(variable)
        return
      case 'FunctionDeclaration':
        this.#visitFunction(node)
        return
      case 'RepeatStatement':
        this.#within(() => {
          for (const statement of node.body) this.#visit(statement)
          this.#visit(node.condition) // sees the variables of the body
        })
        return
      case 'ForNumericStatement':
        for (const value of [node.start, node.end, node.step]) if (value) this.#visit(value)
        this.block(node.body, () => this.#declare(node.variable))
        return
      case 'ForGenericStatement':
        for (const value of node.iterators) this.#visit(value)
        this.block(node.body, () => node.variables.forEach((variable) => this.#declare(variable)))
        return
      case 'WhileStatement':
      case 'IfClause':
      case 'ElseifClause':
        this.#visit(node.condition)
        this.block(node.body)
        return
      case 'DoStatement':
      case 'ElseClause':
        this.block(node.body)
        return
      default:
        for (const child of childrenOf(node)) this.#visit(child)
    }
  }

  #visitFunction(node: FunctionDeclaration): void {
    if (node.identifier?.type === 'Identifier' && node.isLocal) this.#declare(node.identifier)
    else if (node.identifier) this.#visit(node.identifier)
    const scope = new FunctionScope(this.#scope)
    this.#scope = scope
    this.#within(() => {
      const self = isMethod(node) ? this.#add('self') : undefined
      for (const parameter of node.parameters) if (parameter.type === 'Identifier') this.#declare(parameter)
      const arg = node.parameters.some(isVararg) ? this.#add('arg') : undefined
      this.functions.set(node, { scope, self, arg })
      for (const statement of node.body) this.#visit(statement)
    })
    this.#scope = scope.parent ?? this.main
  }

  #declare(identifier: Identifier): void {
    this.variables.set(identifier, this.#add(identifier.name))
  }

  #add(name: string): Variable {
    const variable = this.#scope.declare(name)
    this.#blocks.at(-1)?.set(name, variable)
    return variable
  }

  #refer(identifier: Identifier): void {
    const variable = this.#blocks.findLast((block) => block.has(identifier.name))?.get(identifier.name)
    if (!variable) return
    this.variables.set(identifier, variable)
    for (let scope = this.#scope; scope !== variable.owner && scope.parent; scope = scope.parent) {
      variable.isCaptured = true
      scope.upvalueIndex(variable)
    }
  }
}

function isMethod(node: FunctionDeclaration): boolean {
  return node.identifier?.type === 'MemberExpression' && node.identifier.indexer === ':'
}

function isVararg(parameter: Identifier | VarargLiteral): boolean {
  return parameter.type === 'VarargLiteral'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
