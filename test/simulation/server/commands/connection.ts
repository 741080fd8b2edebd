import { CommandError, syntaxError } from '../command-error.js'
import { matches } from '../glob.js'
import { demandInteger } from '../numbers.js'
import { OK, Status, type Bytes, type Reply } from '../reply.js'
import type { Server } from '../server.js'
import type { Session } from '../session.js'
import { command, pairsOf, word, type Command, type Context } from './command.js'
import { databaseAt } from './keys.js'
import { readOptions } from './options.js'

export const connection: readonly Command[] = [
  command('ping', -1, 'control', ({ session }, args) => {
    if (session.isListening) return ['pong', args[0] ?? '']
    return args[0] ?? new Status('PONG')
  }),
  command('echo', 2, 'control', (_, args) => word(args, 0)),
  command('select', 2, 'control', ({ server, session }, args) => {
    const invalid = () => new CommandError('ERR value is not an integer or out of range')
    const index = demandInteger(word(args, 0), invalid)
    if (server.place !== undefined && index !== 0n)
      throw new CommandError('ERR SELECT is not allowed in cluster mode')
    session.database = databaseAt(server.databases, index)
    return OK
  }),
  command('auth', -2, 'control', (context, args) => {
    if (args.length > 2) throw new CommandError('ERR syntax error')
    if (args.length === 1 && context.server.userCalled('default')?.password === undefined)
      throw new CommandError(
        'ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?',
      )
    authenticate(context, args.length === 2 ? args : ['default', word(args, 0)])
    return OK
  }),
  command('hello', -1, 'control', hello),
  command('client', -2, 'control', client),
  command('quit', -1, 'control', ({ session }) => {
    session.send('+OK\r\n')
    session.close()
    return []
  }),
  command('time', 1, 'read', ({ server }) => {
    const seconds = Math.floor(server.now / 1000)
    return [String(seconds), String((server.now - seconds * 1000) * 1000)]
  }),
  command('info', -1, 'control', ({ server }) => server.info),
  command('role', 1, 'control', role),
  command('wait', 3, 'control', ({ server, session }, args) => {
    const replicas = demandInteger(word(args, 0))
    const timeoutMs = demandInteger(
      word(args, 1),
      () => new CommandError('ERR timeout is not an integer or out of range'),
    )
    if (server.replica !== undefined)
      throw new CommandError(
        'ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.',
      )
    if (timeoutMs < 0n) throw new CommandError('ERR timeout is negative')
    return server.waitForReplicas(session, Number(replicas), Number(timeoutMs))
  }),
  command('config', -2, 'control', config),
]

function role({ server }: Context): Reply {
  const { replica, replicas, offset } = server
  if (replica === undefined)
    return ['master', offset, replicas.map((each) => [each.host, String(each.port), String(each.offset)])]
  return ['slave', replica.masterHost, replica.masterPort, replica.isUp ? 'connected' : 'sync', offset]
}

function authenticate({ server, session }: Context, [name = '', password = '']: readonly Bytes[]): void {
  const user = server.userCalled(name)
  if (user === undefined || (user.password !== undefined && user.password !== password))
    throw new CommandError('WRONGPASS invalid username-password pair or user is disabled.')
  session.user = user
}

/** This server speaks version 2 of the protocol, and refuses another. */
function hello(context: Context, args: readonly Bytes[]): Reply {
  const { session } = context
  const version = word(args, 0)
  if (version !== '' && version !== '2') throw new CommandError('NOPROTO unsupported protocol version')
  for (let at = 1; at < args.length; at += 1) {
    const option = word(args, at).toUpperCase()
    if (option === 'AUTH') authenticate(context, args.slice(at + 1, (at += 2) + 1))
    else if (option === 'SETNAME') session.name = word(args, (at += 1))
    else throw new CommandError(`ERR Syntax error in HELLO option '${word(args, at)}'`)
  }
  const { version: serverVersion } = context.server
  return [
    'server',
    'redis',
    'version',
    serverVersion,
    'proto',
    2,
    'id',
    session.id,
    'mode',
    context.server.place === undefined ? 'standalone' : 'cluster',
    'role',
    'master',
    'modules',
    [],
  ]
}

function client({ server, session }: Context, args: readonly Bytes[]): Reply {
  switch (word(args, 0).toUpperCase()) {
    case 'ID':
      return session.id
    case 'GETNAME':
      return session.name === '' ? null : session.name
    case 'SETNAME':
      session.name = word(args, 1)
      return OK
    case 'INFO':
      return `id=${String(session.id)} name=${session.name} db=${String(session.database.index)} user=${session.user?.name ?? 'default'}`
    case 'KILL':
      return server.kill(word(args, 2))
    case 'TRACKING':
      return track(server, session, args.slice(1))
    default:
      throw new CommandError(`ERR unknown subcommand '${word(args, 0)}'. Try CLIENT HELP.`)
  }
}

/** Turns client-side caching on or off, as far as connections that use RESP2 need it. */
function track(server: Server, session: Session, [mode, ...options]: readonly Bytes[]): Reply {
  if (mode === undefined)
    throw new CommandError("ERR wrong number of arguments for 'client|tracking' command")
  let redirect: number | undefined
  readOptions(options, {
    REDIRECT: (next) => {
      if (redirect !== undefined)
        throw new CommandError('ERR A client can only redirect to a single other client')
      redirect = Number(demandInteger(next()))
      if (!server.hasSession(redirect))
        throw new CommandError('ERR The client ID you want redirect to does not exist')
    },
  })
  if (!/^(on|off)$/i.test(mode)) throw syntaxError()
  session.tracking = mode.toLowerCase() === 'on' ? { redirect } : undefined
  return OK
}

function config({ server }: Context, args: readonly Bytes[]): Reply {
  const words = args.slice(1)
  switch (word(args, 0).toUpperCase()) {
    case 'GET':
      return [...server.settings]
        .filter(([name]) => words.some((pattern) => matches(pattern.toLowerCase(), name)))
        .flat()
    case 'SET':
      for (const [name, value] of pairsOf(words)) server.settings.set(name.toLowerCase(), value)
      return OK
    default:
      throw new CommandError(`ERR unknown subcommand '${word(args, 0)}'. Try CONFIG HELP.`)
  }
}
