import { createReadStream } from 'node:fs'
import type { Entry } from '../history.js'
import { flawOf } from './shape.js'

/**
 * Reads a file of JSON lines, in their order.
 *
 * A last line without an end, and that makes no sense, was cut when its process was killed, and is left out.
 *
 * @throws Error that names the first line that is no entry
 */
export async function readHistory(file: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let rest = ''
  const read = (line: string): void => {
    const { entry, flaw } = parse(line)
    if (flaw !== undefined)
      throw new Error(
        `Expected an entry of a history in ${file}, line ${String(entries.length + 1)}, got ${flaw}`,
      )
    entries.push(entry)
  }
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK_BYTES })) {
    const lines = (rest + (chunk as string)).split('\n') // `readline` would not tell whether the last one has an end
    rest = lines.pop() ?? ''
    for (const line of lines) read(line)
  }
  if (rest !== '' && parse(rest).flaw === undefined) read(rest)
  return entries
}

const CHUNK_BYTES = 2 ** 20

type Parsed =
  { readonly entry: Entry; readonly flaw?: undefined } | { readonly entry?: undefined; readonly flaw: string }

function parse(line: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (reason) {
    return { flaw: reason instanceof Error ? reason.message : String(reason) }
  }
  const flaw = flawOf(value)
  return flaw === undefined ? { entry: value as Entry } : { flaw: `${flaw} in ${line}` }
}
