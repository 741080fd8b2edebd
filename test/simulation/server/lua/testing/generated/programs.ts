import fc from 'fast-check'
import { attempting } from '../shown.js'
import { anyString, numberLiteral, anyNumber, smallInteger, stringLiteral } from './literals.js'

const LOCALS = ['a', 'b', 'c', 't', 'f'] as const

const BINARY = ['+', '-', '*', '/', '%', '^', '..', '==', '~=', '<', '<=', '>', '>=', 'and', 'or']
const UNARY = ['-', 'not ', '#']

const literal = fc.oneof(
  fc.constantFrom('nil', 'true', 'false', '{}', '{1, 2, 3}', '{x = 1, y = "z"}'),
  smallInteger.map(numberLiteral),
  anyNumber.map(numberLiteral),
  anyString.map(stringLiteral),
)

const local = fc.constantFrom(...LOCALS)
const field = fc.constantFrom('x', 'y', 'len', 'none')

/** Functions that take any values, and have no effect. */
const FUNCTIONS = [
  'tostring',
  'tonumber',
  'type',
  'math.floor',
  'math.abs',
  'math.max',
  'string.len',
  'string.upper',
  'string.reverse',
  'string.sub',
  'string.byte',
  'table.concat',
  'select',
  'next',
  'rawget',
  'unpack',
  'rawequal',
  'pcall',
  'table.remove',
  'bit.band',
  'cjson.encode',
  'assert',
  'f',
  't.x',
]

const { expression, program } = fc.letrec<{
  expression: string
  statement: string
  program: string
  list: string
}>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    literal,
    local,
    fc
      .tuple(tie('expression'), fc.constantFrom(...BINARY), tie('expression'))
      .map((parts) => `(${parts.join(' ')})`),
    fc.tuple(fc.constantFrom(...UNARY), tie('expression')).map(([sign, operand]) => `(${sign}${operand})`),
    fc.tuple(fc.constantFrom(...FUNCTIONS), tie('list')).map(([name, args]) => `${name}(${args})`),
    fc.tuple(local, field).map((parts) => parts.join('.')),
    fc.tuple(local, tie('expression')).map(([base, key]) => `${base}[${key}]`),
    fc.tuple(local, field, tie('list')).map(([base, name, args]) => `${base}:${name}(${args})`),
    fc
      .tuple(tie('list'), field, tie('expression'))
      .map(([list, key, value]) => `{${list}${list && ', '}${key} = ${value}}`),
    fc.tuple(tie('list')).map(([list]) => `{${list}}`),
    fc.tuple(tie('list')).map(([list]) => `(function(...) return ${list || '...'} end)(${list})`),
  ),
  list: fc.array(tie('expression'), { maxLength: 3 }).map((items) => items.join(', ')),
  statement: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.tuple(local, tie('expression')).map(([name, value]) => `${name} = ${value}`),
    fc.tuple(local, local, tie('list')).map(([one, two, list]) => `${one}, ${two} = ${list || 'nil'}`),
    fc.tuple(local, field, tie('expression')).map(([base, key, value]) => `${base}.${key} = ${value}`),
    fc
      .tuple(local, tie('expression'), tie('expression'))
      .map(([base, key, value]) => `${base}[${key}] = ${value}`),
    fc.tuple(local, tie('list')).map(([name, list]) => `local ${name} = ${list || 'nil'}`),
    fc
      .tuple(tie('expression'), tie('statement'), tie('statement'))
      .map(([condition, yes, no]) => `if ${condition} then ${yes} else ${no} end`),
    fc
      .tuple(local, smallInteger, smallInteger, tie('statement'))
      .map(([name, from, to, body]) => `for ${name} = ${from}, ${to}, 3 do ${body} end`),
    fc
      .tuple(local, local, tie('expression'), tie('statement'))
      .map(([key, value, list, body]) => `for ${key}, ${value} in pairs(${list}) do ${body} break end`),
    fc.tuple(tie('statement'), tie('statement')).map((parts) => `do ${parts.join(' ')} end`),
    fc.tuple(tie('list')).map(([list]) => `function f(a, ...) a = a or 1 return ${list || '...'} end`),
    fc.tuple(local, tie('expression')).map(([name, list]) => `${name} = function() return ${list} end`),
    fc.tuple(tie('list')).map(([list]) => `f(${list})`),
  ),
  program: fc
    .tuple(fc.array(tie('statement'), { maxLength: 4 }), tie('list'))
    .map(([statements, list]) => [...statements, `return ${list}`].join('\n')),
}))

const DECLARATIONS =
  'local a, b, c, t, f = 1, "two", nil, {x = 1, y = {}, 10, 20}, function(...) return ... end'

/** What an expression gives, or the error that it raises. */
export const expressions = expression.map((text) => attempting(`${DECLARATIONS} return ${text}`))

/** Some statements, and what some expressions give then. */
export const programs = program.map((text) => attempting(`${DECLARATIONS}\n${text}`))
