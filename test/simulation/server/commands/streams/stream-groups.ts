import { CommandError } from '../../command-error.js'
import { demandInteger } from '../../numbers.js'
import { OK, type Bytes, type Reply } from '../../reply.js'
import { demandAnyId, demandId, FIRST_ID, type EntryId } from '../../streams/entry-id.js'
import type { Consumer, StreamGroup } from '../../streams/stream-group.js'
import type { Stream } from '../../streams/stream.js'
import { command, word, type Command, type Context } from '../command.js'

export const streamGroups: readonly Command[] = [
  command('xgroup', -2, 'write', (_, args) => {
    throw wrongSubcommand('XGROUP', args)
  }),
  command('xgroup|create', -5, 'grow', create),
  command('xgroup|setid', -5, 'write', setId),
  command('xgroup|destroy', 4, 'write', (context, args) => {
    const key = word(args, 1)
    if (!streamFor(context, key).destroyGroup(word(args, 2))) return 0
    amended(context, key, 'xgroup-destroy')
    return 1
  }),
  command('xgroup|createconsumer', 5, 'grow', (context, args) => {
    const group = groupFor(context, args)
    if (group.consumer(word(args, 3)) !== undefined) return 0
    consumerOf(context, { key: word(args, 1), group, name: word(args, 3) })
    return 1
  }),
  command('xgroup|delconsumer', 5, 'write', (context, args) => {
    const group = groupFor(context, args)
    const consumer = group.consumer(word(args, 3))
    if (consumer === undefined) return 0
    const pending = group.deleteConsumer(consumer)
    amended(context, word(args, 1), 'xgroup-delconsumer')
    return pending
  }),
  command('xack', -4, 'write', ({ database }, args) => {
    const [key, name, ...words] = args as readonly [Bytes, Bytes, ...Bytes[]]
    const group = database.read(key, 'stream')?.group(name)
    if (group === undefined) return 0
    const ids = words.map((text) => demandId(text))
    const settled = ids.filter((id) => group.settle(id)).length
    if (settled > 0) database.amended(key)
    return settled
  }),
]

/** What is said of a subcommand with other words than it takes. */
export function wrongSubcommand(name: Bytes, args: readonly Bytes[]): CommandError {
  return new CommandError(
    `ERR unknown subcommand or wrong number of arguments for '${word(args, 0).slice(0, 128)}'. Try ${name} HELP.`,
  )
}

/**
 * The group of a stream, which both have to be there.
 *
 * @param suffix - what the refusal says after the names
 */
export function demandGroup({ database }: Context, key: Bytes, name: Bytes, suffix = ''): StreamGroup {
  const group = database.read(key, 'stream')?.group(name)
  if (group === undefined)
    throw new CommandError(`NOGROUP No such key '${key}' or consumer group '${name}'${suffix}`)
  return group
}

/** A consumer, which is seen by that. It is made if there is none. */
export function consumerOf(
  { server, database, notify }: Context,
  { key, group, name }: { readonly key: Bytes; readonly group: StreamGroup; readonly name: Bytes },
): Consumer {
  const present = group.consumer(name)
  if (present !== undefined) {
    present.seenAt = server.now
    return present
  }
  const made = group.createConsumer(name, server.now)
  database.amended(key)
  notify('t', 'xgroup-createconsumer', key)
  return made
}

function create(context: Context, args: readonly Bytes[]): Reply {
  const { database } = context
  const [key, name, from] = [word(args, 1), word(args, 2), word(args, 3)]
  const { isMade, entriesRead } = groupOptions(args, ['MKSTREAM', 'ENTRIESREAD'])
  const present = database.read(key, 'stream')
  if (present === undefined && !isMade) throw noStream()
  if (args.length > 7) throw wrongSubcommand('XGROUP', args)
  const lastId = from === '$' ? (present?.lastId ?? FIRST_ID) : demandId(from)
  if (present?.group(name) !== undefined)
    throw new CommandError('BUSYGROUP Consumer Group name already exists')
  database.open(key, 'stream').createGroup(name, lastId, entriesRead)
  amended(context, key, 'xgroup-create')
  return OK
}

function setId(context: Context, args: readonly Bytes[]): Reply {
  const key = word(args, 1)
  const { entriesRead } = groupOptions(args, ['ENTRIESREAD'])
  const group = groupFor(context, args)
  if (args.length > 6) throw wrongSubcommand('XGROUP', args)
  group.lastId = idAt(streamFor(context, key), word(args, 3))
  group.entriesRead = entriesRead
  amended(context, key, 'xgroup-setid')
  return OK
}

function idAt({ lastId }: Stream, text: Bytes): EntryId {
  return text === '$' ? lastId : demandAnyId(text)
}

interface GroupOptions {
  readonly isMade: boolean
  readonly entriesRead: bigint | undefined
}

/** The options that follow the id of a group. */
function groupOptions(args: readonly Bytes[], known: readonly Bytes[]): GroupOptions {
  let [isMade, entriesRead] = [false, undefined as bigint | undefined]
  for (let at = 4; at < args.length; at += 1) {
    const name = word(args, at).toUpperCase()
    const value = args[at + 1]
    if (!known.includes(name) || (name === 'ENTRIESREAD' && value === undefined))
      throw wrongSubcommand('XGROUP', args)
    if (name === 'MKSTREAM') isMade = true
    else {
      entriesRead = entriesReadOf(word(args, at + 1))
      at += 1
    }
  }
  return { isMade, entriesRead }
}

function entriesReadOf(text: Bytes): bigint | undefined {
  const count = demandInteger(text)
  if (count < -1n) throw new CommandError('ERR value for ENTRIESREAD must be positive or -1')
  return count === -1n ? undefined : count
}

function streamFor({ database }: Context, key: Bytes): Stream {
  const stream = database.read(key, 'stream')
  if (stream === undefined) throw noStream()
  return stream
}

function groupFor(context: Context, args: readonly Bytes[]): StreamGroup {
  const [key, name] = [word(args, 1), word(args, 2)]
  const group = streamFor(context, key).group(name)
  if (group === undefined)
    throw new CommandError(`NOGROUP No such consumer group '${name}' for key name '${key}'`)
  return group
}

function noStream(): CommandError {
  return new CommandError(
    'ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.',
  )
}

/** What is known of groups has changed. Readers of the stream need not read again. */
function amended({ database, notify }: Context, key: Bytes, event: Bytes): void {
  database.amended(key)
  notify('t', event, key)
}
