/** What a script of the least commands is given, by the word that stands for it. */
const GIVEN: Readonly<Record<string, string>> = { key: 'KEYS[1]', owner: 'ARGV[1]', ms: 'ARGV[2]' }

/**
 * The text of a script that runs commands and nothing else: no script that leaves the same behind can be cheaper.
 *
 * `key`, `owner` and `ms` stand for what it is given, `key:word` for another key.
 */
export function leastScript(commands: readonly string[]): string {
  return commands.map((command) => `redis.call(${command.split(' ').map(inLua).join(', ')})`).join('\n')
}

function inLua(word: string): string {
  if (word.startsWith('key:')) return `KEYS[1] .. '${word.slice('key'.length)}'`
  return GIVEN[word] ?? `'${word}'`
}
