import { CommandError } from '../command-error.js'
import { Functions, type FunctionLibrary } from '../functions.js'
import { matches } from '../glob.js'
import { integerOf } from '../numbers.js'
import { OK, Status, type Bytes, type Reply } from '../reply.js'
import { marked, unmarked } from '../serialized.js'
import { command, word, type Command, type Context } from './command.js'

export const functions: readonly Command[] = [
  command('fcall', -3, 'control', (context, args) => call(context, args, false)),
  command('fcall_ro', -3, 'control', (context, args) => call(context, args, true)),
  command('function', -2, 'control', (context, [subcommand = '', ...args]) => {
    const found = SUBCOMMANDS[subcommand.toLowerCase()]
    if (found === undefined)
      throw new CommandError(`ERR unknown subcommand '${subcommand}'. Try FUNCTION HELP.`)
    const { least, most = Infinity, run } = found
    const isWrong = least === most ? args.length !== least : args.length < least
    if (isWrong)
      throw new CommandError(
        `ERR wrong number of arguments for 'function|${subcommand.toLowerCase()}' command`,
      )
    if (args.length > most)
      throw new CommandError(
        `ERR unknown subcommand or wrong number of arguments for '${subcommand}'. Try FUNCTION HELP.`,
      )
    return run(context, args)
  }),
]

interface Subcommand {
  /** How many words it has after its name. */
  readonly least: number
  readonly most?: number
  readonly run: Command['run']
}

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  load: { least: 1, run: load },
  list: { least: 0, run: list },
  delete: {
    least: 1,
    most: 1,
    run: ({ server }, args) => {
      if (!server.functions.delete(word(args, 0))) throw new CommandError('ERR Library not found')
      return OK
    },
  },
  flush: {
    least: 0,
    most: 1,
    run: ({ server }, [mode = 'sync']) => {
      if (!/^a?sync$/i.test(mode))
        throw new CommandError('ERR FUNCTION FLUSH only supports SYNC|ASYNC option')
      server.functions.flush()
      return OK
    },
  },
  dump: {
    least: 0,
    most: 0,
    run: ({ server }) => marked(JSON.stringify(server.functions.libraries.map(({ code }) => code))),
  },
  restore: { least: 1, most: 2, run: restore },
}

function call(
  context: Context,
  [name = '', count = '', ...words]: readonly Bytes[],
  isReadOnly: boolean,
): Reply {
  const found = context.server.functions.find(name)
  if (found === undefined) throw new CommandError('ERR Function not found')
  const number = integerOf(count)
  if (number === undefined) throw new CommandError('ERR Bad number of keys provided')
  if (number > words.length) throw new CommandError("ERR Number of keys can't be greater than number of args")
  if (number < 0n) throw new CommandError("ERR Number of keys can't be negative")
  const mayWrite = !found.flags.includes('no-writes')
  if (isReadOnly && mayWrite)
    throw new CommandError('ERR Can not execute a script with write flag using *_ro command.')
  const keys = words.slice(0, Number(number))
  const host = context.server.scriptHost(context, { keys, isReadOnly: !mayWrite })
  return found.run(host, keys, words.slice(keys.length))
}

function load(context: Context, args: readonly Bytes[]): Reply {
  const [code = '', ...options] = args.toReversed()
  const unknown = options.findLast((option) => !/^replace$/i.test(option))
  if (unknown !== undefined) throw new CommandError(`ERR Unknown option given: ${unknown}`)
  const host = context.server.scriptHost(context, { keys: [], isReadOnly: true })
  return context.server.functions.load(code, { host, replaces: options.length > 0 })
}

function list({ server }: Context, args: readonly Bytes[]): Reply {
  let [pattern, withCode] = [undefined as Bytes | undefined, false]
  for (let at = 0; at < args.length; at += 1) {
    const option = word(args, at)
    if (/^withcode$/i.test(option) && !withCode) withCode = true
    else if (/^libraryname$/i.test(option) && pattern === undefined) {
      pattern = args[(at += 1)]
      if (pattern === undefined) throw new CommandError('ERR library name argument was not given')
    } else throw new CommandError(`ERR Unknown argument ${option}`)
  }
  return server.functions.libraries
    .filter(({ name }) => pattern === undefined || matches(pattern, name))
    .map((library) => shown(library, withCode))
}

function shown({ name, code, functions: all }: FunctionLibrary, withCode: boolean): Reply {
  const listed = all.map(({ name, description, flags }) => [
    'name',
    name,
    'description',
    description,
    'flags',
    flags.map((flag) => new Status(flag)),
  ])
  const about = ['library_name', name, 'engine', 'LUA', 'functions', listed]
  return withCode ? [...about, 'library_code', code] : about
}

function restore(context: Context, [payload = '', policy = 'append']: readonly Bytes[]): Reply {
  const { functions: own } = context.server
  if (!/^(append|replace|flush)$/i.test(policy))
    throw new CommandError('ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.')
  const body = unmarked(payload)
  if (body === undefined) throw new CommandError('ERR DUMP payload version or checksum are wrong')
  const restored = new Functions()
  const host = context.server.scriptHost(context, { keys: [], isReadOnly: true })
  for (const code of JSON.parse(body) as Bytes[]) restored.load(code, { host, replaces: false })
  if (/^flush$/i.test(policy)) own.flush()
  own.add(restored.libraries, { replaces: /^replace$/i.test(policy) })
  return OK
}
