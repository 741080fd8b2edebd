import { CommandError, noSuchKey } from '../../command-error.js'
import { compact } from '../../numbers.js'
import type { Bytes, Reply } from '../../reply.js'
import { lagOf } from '../../streams/entries-read.js'
import { idText } from '../../streams/entry-id.js'
import type { Stream } from '../../streams/stream.js'
import { command, word, type Command, type Context } from '../command.js'
import { shownEntry } from './shown.js'
import { wrongSubcommand } from './stream-groups.js'

export const streamInfo: readonly Command[] = [
  command('xinfo', -2, 'read', (_, args) => {
    throw wrongSubcommand('XINFO', args)
  }),
  command('xinfo|stream', -3, 'read', (context, args) => {
    const stream = streamAt(context, args)
    if (args.length > 2) throw wrongSubcommand('XINFO', args)
    return factsOf(stream)
  }),
  command('xinfo|groups', 3, 'read', (context, args) => {
    const stream = streamAt(context, args)
    return stream.groups.map(([name, group]) => [
      'name',
      name,
      'consumers',
      group.consumers.length,
      'pending',
      group.pending.length,
      'last-delivered-id',
      idText(group.lastId),
      'entries-read',
      known(group.entriesRead),
      'lag',
      known(lagOf(stream, group)),
    ])
  }),
  command('xinfo|consumers', 4, 'read', (context, args) => {
    const [key, name] = [word(args, 1), word(args, 2)]
    const group = streamAt(context, args).group(name)
    if (group === undefined)
      throw new CommandError(`NOGROUP No such consumer group '${name}' for key name '${key}'`)
    return group.consumers.map((consumer) => [
      'name',
      consumer.name,
      'pending',
      group.pendingAt(consumer).length,
      'idle',
      Math.max(0, context.server.now - consumer.seenAt),
    ])
  }),
]

function streamAt({ database }: Context, args: readonly Bytes[]): Stream {
  const stream = database.read(word(args, 1), 'stream')
  if (stream === undefined) throw noSuchKey()
  return stream
}

function known(count: bigint | undefined): Reply {
  return count === undefined ? null : compact(count)
}

/** What is known of a stream. How many nodes the tree has depends on the ids in Redis; here each of its keys has one, and the root. */
function factsOf(stream: Stream): Reply {
  const { entries, nodes, groups } = stream
  const [first, last] = [entries[0], entries.at(-1)]
  return [
    'length',
    stream.length,
    'radix-tree-keys',
    nodes.length,
    'radix-tree-nodes',
    nodes.length + 1,
    'last-generated-id',
    idText(stream.lastId),
    'max-deleted-entry-id',
    idText(stream.maxDeletedId),
    'entries-added',
    compact(stream.entriesAdded),
    'recorded-first-entry-id',
    idText(stream.firstId),
    'groups',
    groups.length,
    'first-entry',
    first === undefined ? null : shownEntry(first),
    'last-entry',
    last === undefined ? null : shownEntry(last),
  ]
}
