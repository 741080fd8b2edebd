import type { Bytes } from '../reply.js'
import { bits } from './bits.js'
import { cluster } from './cluster.js'
import type { Command } from './command.js'
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
import { strings } from './strings.js'

/** Every command of the server, by its name. Those of transactions are the server's own. */
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
