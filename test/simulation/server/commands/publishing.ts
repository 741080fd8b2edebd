import { CommandError } from '../command-error.js'
import type { Bytes, Reply } from '../reply.js'
import { written } from '../resp.js'
import type { ChannelKind } from '../session.js'
import { command, word, type Command, type Context } from './command.js'

/** What a command returns that has written its replies itself. */
export const NO_REPLY: readonly Reply[] = []

export const publishing: readonly Command[] = [
  command('publish', 3, 'control', (context, args) => publish(context, args, false)),
  command('spublish', 3, 'control', (context, args) => publish(context, args, true)),
  command('subscribe', -2, 'control', (context, args) => listen(context, args, 'channel')),
  command('psubscribe', -2, 'control', (context, args) => listen(context, args, 'pattern')),
  command('ssubscribe', -2, 'control', (context, args) => listen(context, args, 'shard')),
  command('unsubscribe', -1, 'control', (context, args) => stopListening(context, args, 'channel')),
  command('punsubscribe', -1, 'control', (context, args) => stopListening(context, args, 'pattern')),
  command('sunsubscribe', -1, 'control', (context, args) => stopListening(context, args, 'shard')),
  command('pubsub', -2, 'read', look),
]

const WORDS: Readonly<Record<ChannelKind, Bytes>> = {
  channel: 'subscribe',
  pattern: 'psubscribe',
  shard: 'ssubscribe',
}

const ENDS: Readonly<Record<ChannelKind, Bytes>> = {
  channel: 'unsubscribe',
  pattern: 'punsubscribe',
  shard: 'sunsubscribe',
}

function publish({ server, session }: Context, args: readonly Bytes[], isSharded: boolean): Reply {
  const channel = word(args, 0)
  demandChannel(session.user, channel)
  return server.publish(channel, word(args, 1), isSharded)
}

function demandChannel(user: Context['session']['user'], channel: Bytes): void {
  if (user?.mayHear(channel) === false)
    throw new CommandError(
      'NOPERM this user has no permissions to access one of the channels used as arguments',
    )
}

function listen({ session }: Context, names: readonly Bytes[], kind: ChannelKind): Reply {
  for (const name of names) demandChannel(session.user, name)
  for (const name of names) {
    session.channels[kind].add(name)
    session.send(written([WORDS[kind], name, countOf(session, kind)]))
  }
  return NO_REPLY
}

function stopListening({ session }: Context, names: readonly Bytes[], kind: ChannelKind): Reply {
  const ended = names.length > 0 ? names : [...session.channels[kind]]
  for (const name of ended) {
    session.channels[kind].delete(name)
    session.send(written([ENDS[kind], name, countOf(session, kind)]))
  }
  if (ended.length === 0) session.send(written([ENDS[kind], null, countOf(session, kind)]))
  return NO_REPLY
}

/** How many channels of its kind a connection listens to: those of slots are counted apart. */
function countOf({ channels }: Context['session'], kind: ChannelKind): number {
  return kind === 'shard' ? channels.shard.size : channels.channel.size + channels.pattern.size
}

function look({ server }: Context, args: readonly Bytes[]): Reply {
  const names = args.slice(1)
  switch (word(args, 0).toUpperCase()) {
    case 'CHANNELS':
      return server.channelsLike('channel', names[0])
    case 'SHARDCHANNELS':
      return server.channelsLike('shard', names[0])
    case 'NUMSUB':
      return names.flatMap((name) => [name, server.listenersOf('channel', name).length])
    case 'SHARDNUMSUB':
      return names.flatMap((name) => [name, server.listenersOf('shard', name).length])
    case 'NUMPAT':
      return server.channelsLike('pattern').length
    default:
      throw new CommandError(`ERR unknown subcommand '${word(args, 0)}'. Try PUBSUB HELP.`)
  }
}
