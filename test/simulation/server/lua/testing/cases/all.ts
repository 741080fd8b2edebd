import type { Cases } from './cases.js'
import { errors } from './errors.js'
import { language } from './language.js'
import { redis } from './redis.js'
import { formats, patterns, strings } from './strings.js'
import { syntax } from './syntax.js'
import { json, numbers, packing, tables } from './tables.js'

/** All cases, by what they are about. */
export const allCases: Readonly<Record<string, Cases>> = {
  'the language': language,
  errors,
  'errors of syntax': syntax,
  'commands and replies': redis,
  strings,
  patterns,
  'string.format': formats,
  tables,
  'numbers and bits': numbers,
  'struct and cmsgpack': packing,
  cjson: json,
}
