import { CommandError } from '../command-error.js'
import type { Bytes, Reply } from '../reply.js'
import type { Endpoint, Watch } from '../sentinel.js'
import { command, word, type Command, type Context } from './command.js'

export const sentinel: readonly Command[] = [command('sentinel', -2, 'control', about)]

function about(context: Context, args: readonly Bytes[]): Reply {
  const { watch } = context.server
  if (watch === undefined) throw new CommandError("ERR unknown command 'sentinel'")
  const subcommand = word(args, 0)
  const isKnown = word(args, 1) === watch.masterName
  switch (subcommand.toUpperCase()) {
    case 'GET-MASTER-ADDR-BY-NAME':
      return isKnown ? [watch.master.host, String(watch.master.port)] : null
    case 'SENTINELS':
      return all(isKnown, watch.sentinels, 'sentinel')
    case 'REPLICAS':
    case 'SLAVES':
      return all(isKnown, watch.replicas, 'slave')
    case 'MASTER':
      if (!isKnown) throw new CommandError('ERR No such master with that name')
      return describeMaster(watch)
    case 'MASTERS':
      return [describeMaster(watch)]
    default:
      throw new CommandError(`ERR unknown subcommand '${subcommand}'. Try SENTINEL HELP.`)
  }
}

function all(isKnown: boolean, endpoints: readonly Endpoint[], flags: Bytes): Reply {
  if (!isKnown) throw new CommandError('ERR No such master with that name')
  return endpoints.map((endpoint) => describe(endpoint, flags))
}

function describeMaster({ master, masterName, sentinels, epoch }: Watch): readonly Bytes[] {
  const more = ['num-other-sentinels', String(sentinels.length), 'config-epoch', String(epoch)]
  return [...describe(master, 'master', masterName), ...more]
}

/** What clients read of what a sentinel says of a server. */
function describe({ host, port }: Endpoint, flags: Bytes, name?: Bytes): readonly Bytes[] {
  return ['name', name ?? `${host}:${String(port)}`, 'ip', host, 'port', String(port), 'flags', flags]
}
