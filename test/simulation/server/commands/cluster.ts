import { clusterInfo, slotOf, slotsReply } from '../cluster.js'
import { CommandError } from '../command-error.js'
import { OK, type Bytes, type Reply } from '../reply.js'
import { command, word, type Command, type Context } from './command.js'

export const cluster: readonly Command[] = [
  command('cluster', -2, 'control', about),
  command('asking', 1, 'control', (context) => {
    placeOf(context)
    context.session.isAsking = true
    return OK
  }),
  command('readonly', 1, 'control', (context) => {
    placeOf(context)
    context.session.isReadOnly = true
    return OK
  }),
  command('readwrite', 1, 'control', (context) => {
    placeOf(context)
    context.session.isReadOnly = false
    return OK
  }),
]

function placeOf({ server }: Context): NonNullable<Context['server']['place']> {
  if (server.place === undefined) throw new CommandError('ERR This instance has cluster support disabled')
  return server.place
}

function about(context: Context, args: readonly Bytes[]): Reply {
  const { cluster, self } = placeOf(context)
  switch (word(args, 0).toUpperCase()) {
    case 'SLOTS':
      return slotsReply(cluster)
    case 'INFO':
      return clusterInfo(cluster)
    case 'MYID':
      return self.id
    case 'KEYSLOT':
      return slotOf(word(args, 1))
    default:
      throw new CommandError(`ERR unknown subcommand '${word(args, 0)}'. Try CLUSTER HELP.`)
  }
}
