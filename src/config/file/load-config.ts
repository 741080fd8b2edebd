import { readFile } from 'node:fs/promises'
import type { RedissonOptions } from '../../api/redisson-options.js'
import { ConfigError } from '../../errors/client-errors.js'
import { splitDatabase } from '../address.js'

/**
 * Reads options from where the text leads: the URL of one server, such as `redis://127.0.0.1:6379/2`, or the path of a
 * file in YAML or JSON that looks like Redisson's.
 *
 * In the texts of a file, `${NAME}` stands for an environment variable, and `${NAME:-default}` for one that may be unset
 * or empty.
 *
 * @throws {@link ConfigError} if the file cannot be read or understood, or asks for a variable that is not set
 */
export async function loadOptions(source: string): Promise<RedissonOptions> {
  if (isUrl(source)) return { singleServerConfig: splitDatabase(source) }
  const text = await readText(source)
  const { parseConfigFile } = await import('./config-file.js') // only programs with a file load the parser
  return parseConfigFile(text, source)
}

/** A URL without its scheme, or with a misspelt one, is no path either: its password must not end up in a message. */
function isUrl(source: string): boolean {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(source)) return true
  const hasLogin = /^[^/]*@|:.*@/s.test(source)
  return hasLogin && !/\.(?:json|ya?ml)$/i.test(source)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw /[@:]/.test(file) && !ADDRESS.test(file) ? unreadableSecret(error) : unreadable(file, error)
  }
}

/** The address of a server without a scheme, or its host alone. No user is called like these hosts, and so it has no password. */
const ADDRESS = /^(?:localhost|(?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?$/

function unreadable(file: string, cause: unknown): ConfigError {
  const advice = ADDRESS.test(file) ? `: did you mean \`redis://${file}\`?` : ''
  const message = `\`${file}\` is neither a URL (redis://…) nor a readable file (${codeOf(cause)})${advice}`
  return new ConfigError(file, 'a URL, or a file that can be read', undefined, { message, cause })
}

/** A misspelt URL, such as `redis:user:password`, may have a password, which the error of the file system repeats. */
function unreadableSecret(error: unknown): ConfigError {
  const message =
    `The source, which is not shown because it has an \`@\` or a colon, is neither a URL (redis://…) ` +
    `nor a readable file (${codeOf(error)})`
  return new ConfigError('source', 'a URL, or a file that can be read', undefined, { message })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened'
}
