import { CommandError } from '../command-error.js'
import { integerOf } from '../numbers.js'
import { OK, type Bytes, type Reply } from '../reply.js'
import { command, word, type Command, type Context } from './command.js'

export const scripting: readonly Command[] = [
  command('eval', -3, 'control', (context, args) => {
    return run(context, context.server.scripts.load(word(args, 0)), args)
  }),
  command('eval_ro', -3, 'control', (context, args) => {
    return run(context, context.server.scripts.load(word(args, 0)), args, true)
  }),
  command('evalsha', -3, 'control', (context, args) => run(context, word(args, 0).toLowerCase(), args)),
  command('evalsha_ro', -3, 'control', (context, args) => {
    return run(context, word(args, 0).toLowerCase(), args, true)
  }),
  command('script', -2, 'control', ({ server }, args) => {
    switch (word(args, 0).toUpperCase()) {
      case 'LOAD':
        return server.scripts.load(word(args, 1))
      case 'EXISTS':
        return args.slice(1).map((sha) => (server.scripts.has(sha.toLowerCase()) ? 1 : 0))
      case 'FLUSH':
        server.scripts.flush()
        return OK
      default:
        throw new CommandError(`ERR unknown subcommand '${word(args, 0)}'. Try SCRIPT HELP.`)
    }
  }),
]

function run(context: Context, sha: Bytes, args: readonly Bytes[], isReadOnly = false): Reply {
  const count = integerOf(word(args, 1))
  if (count === undefined) throw new CommandError('ERR value is not an integer or out of range')
  if (count < 0n) throw new CommandError("ERR Number of keys can't be negative")
  const keys = Number(count)
  if (keys > args.length - 2)
    throw new CommandError("ERR Number of keys can't be greater than number of args")
  const script = context.server.scripts.find(sha)
  if (script === undefined) throw new CommandError('NOSCRIPT No matching script. Please use EVAL.')
  const names = args.slice(2, 2 + keys)
  const host = context.server.scriptHost(context, { keys: names, isReadOnly })
  return script.run(host, names, args.slice(2 + keys))
}
