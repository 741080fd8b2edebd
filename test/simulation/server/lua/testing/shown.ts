import type { Bytes } from '../../reply.js'

/**
 * Comes before a script in its first line: `all(…)` is a text with all of the values, however deep they are, in the order in which Lua
 * has them.
 */
export const SHOWING = [
  'local function show(value, depth)',
  'local kind = type(value) depth = depth or 0',
  "if kind == 'number' then return string.format('%.17g', value) end",
  "if kind == 'string' then return '\"' .. value .. '\"' end",
  "if kind == 'function' then return kind end",
  "if kind ~= 'table' then return tostring(value) end",
  "if depth > 4 then return '{...}' end",
  'local parts = {}',
  "for key, item in pairs(value) do parts[#parts + 1] = '[' .. show(key, depth + 1) .. ']=' .. show(item, depth + 1) end",
  "return '{' .. table.concat(parts, ', ') .. '}' end",
  'local function all(...) local parts = {}',
  'for i = 1, select("#", ...) do parts[i] = show((select(i, ...))) end',
  "return table.concat(parts, ' | ') end",
].join(' ')

/** A script that returns a text with all values of an expression. */
export function showing(expression: Bytes): Bytes {
  return `${SHOWING}\nreturn all(${expression})`
}

/** The same for what a function returns, or for the error that it raises. */
export function attempting(body: Bytes): Bytes {
  return showing(`pcall(function() ${body}\nend)`)
}
