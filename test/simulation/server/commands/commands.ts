import type { Bytes } from '../reply.js'
import { bits } from './bits.js'
import { cluster } from './cluster.js'
import { word, type Command } from './command.js'
import { connection } from './connection.js'
import { functions } from './functions.js'
import { geo } from './geo.js'
import { hashes } from './hashes.js'
import { hyperLogLogs } from './hyper-log-log.js'
import { keys } from './keys.js'
import { lexRanges } from './lex-ranges.js'
import { lists } from './lists.js'
import { publishing } from './publishing.js'
import { scripting } from './scripting.js'
import { sentinel } from './sentinel.js'
import { sets } from './sets.js'
import { sorting } from './sorting.js'
import { sortedSetAlgebra } from './sorted-set-algebra.js'
import { sortedSets } from './sorted-sets.js'
import { streamGroups } from './streams/stream-groups.js'
import { streamInfo } from './streams/stream-info.js'
import { streamPending } from './streams/stream-pending.js'
import { streamReading } from './streams/stream-reading.js'
import { streams } from './streams/streams.js'
import { strings } from './strings.js'

/**
 * Every command of the server, by its name. A subcommand that is a command of its own follows after a bar: `xgroup|create`. Those of
 * transactions are the server's own.
 */
export const commands: ReadonlyMap<Bytes, Command> = new Map(
  [
    keys,
    strings,
    hyperLogLogs,
    bits,
    hashes,
    lists,
    sets,
    sorting,
    sortedSets,
    sortedSetAlgebra,
    lexRanges,
    geo,
    streams,
    streamReading,
    streamGroups,
    streamPending,
    streamInfo,
    publishing,
    scripting,
    functions,
    connection,
    cluster,
    sentinel,
  ]
    .flat()
    .map((each) => [each.name, each]),
)

/** The command that words begin with. */
export function commandOf(words: readonly Bytes[]): Command | undefined {
  const [name, subcommand] = [word(words, 0).toLowerCase(), word(words, 1).toLowerCase()]
  return commands.get(`${name}|${subcommand}`) ?? commands.get(name)
}
