import { syntaxError } from '../command-error.js'
import type { Bytes } from '../reply.js'

/** Reads the options of a command one by one: each name gets the word that follows it, if it wants one. */
export function readOptions(
  words: readonly Bytes[],
  handlers: Readonly<Record<string, (next: () => Bytes) => void>>,
): void {
  for (let at = 0; at < words.length; at += 1) {
    const handler = handlers[(words[at] ?? '').toUpperCase()]
    if (handler === undefined) throw syntaxError()
    handler(() => {
      at += 1
      const value = words[at]
      if (value === undefined) throw syntaxError()
      return value
    })
  }
}
