import { demandPlace, slotOf, type Cluster, type ClusterNode } from './cluster.js'
import { CommandError } from './command-error.js'
import type { Command, Context } from './commands/command.js'
import { commandOf } from './commands/commands.js'
import { NO_REPLY } from './commands/publishing.js'
import { Database } from './database.js'
import { Functions } from './functions.js'
import { matches } from './glob.js'
import { keysOf } from './keys-of.js'
import { RandomNumbers } from './lua/run/random-numbers.js'
import type { LuaHost } from './lua/script.js'
import {
  replicationInfo,
  type Change,
  type KnownReplica,
  type ReplicaState,
  type Waiting,
} from './replication.js'
import { OK, Refusal, Status, type Bytes, type Reply } from './reply.js'
import { ProtocolError, RequestReader, written } from './resp.js'
import { Scripts } from './scripts.js'
import type { Watch } from './sentinel.js'
import { Session, type ChannelKind, type User } from './session.js'
import { keysRead, Tracking } from './tracking.js'
import { BUSY, refusalOf, type Trouble } from './trouble.js'

/** What a server is given by the world around it. */
export interface ServerOptions {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  /** A whole number below `count`. */
  readonly draw: (count: number) => number
  /**
   * How many databases it has.
   *
   * @defaultValue 16
   */
  readonly databases?: number
  /** Calls back after a time. Returns how to prevent that. Without it no command waits. */
  readonly after?: (ms: number, run: () => void) => () => void
  /** Is called after each command that a client has sent. */
  readonly onCommand?: (event: CommandEvent) => void
}

/** A command that has run. */
export interface CommandEvent {
  readonly server: Server
  readonly session: Session
  readonly words: readonly Bytes[]
  readonly reply: Reply
}

/** A listener for all that happens at servers. */
export interface Monitor {
  /** A server has sent bytes to a connection. */
  sent(server: Server, session: Session, bytes: Bytes): void
  /** A server has run a command, and has sent its reply. */
  served(server: Server, session: Session, words: readonly Bytes[]): void
  disconnected(server: Server, session: Session): void
  /** A key has expired, and was removed. */
  expired(server: Server, key: Bytes, database: Database): void
}

/** The server's side of a connection. */
export interface Link {
  write(bytes: Bytes): void
  close(): void
}

const DATABASES = 16

/** Commands of a connection that has not said who it is. */
const BEFORE_AUTH: ReadonlySet<Bytes> = new Set(['auth', 'hello', 'quit'])

/** Subcommands with a permission of their own. An unknown one is refused for that. */
const SUBCOMMANDS: Readonly<Record<Bytes, RegExp>> = {
  client:
    /^(caching|getname|getredir|help|id|info|kill|list|no-evict|pause|reply|setname|tracking|trackinginfo|unblock|unpause)$/,
  cluster: /^[a-z-]+$/,
  config: /^(get|help|resetstat|rewrite|set)$/,
  xgroup: /^(create|createconsumer|delconsumer|destroy|setid)$/,
  xinfo: /^(consumers|groups|stream)$/,
}

/** Commands of a connection that listens. */
const WHILE_LISTENING = /^([ps]?(un)?subscribe|ping|quit)$/

/** Commands that no script may call. */
const NOT_FROM_SCRIPT =
  /^(eval|evalsha|eval_ro|evalsha_ro|script|fcall|fcall_ro|function|[ps]?(un)?subscribe|multi|exec|discard|auth|hello|client|config|quit|wait)$/

/** Commands that a transaction does not keep for later. */
const NOT_QUEUED = /^(exec|discard|multi|quit)$/

/**
 * A Redis server in memory. It runs one command at a time, does no input or output, and has no clock: what a connection sends goes to
 * {@link receive}, and the time is that of the options.
 */
export class Server {
  /** Listens to all servers. */
  static monitor: Monitor | undefined
  /** What it says that it is. Its replies are those of this version. */
  readonly version = '7.0.15'
  readonly databases: readonly Database[]
  readonly scripts = new Scripts()
  readonly functions = new Functions()
  readonly settings = new Map<Bytes, Bytes>([
    ['notify-keyspace-events', ''],
    ['maxmemory', '0'],
    ['maxmemory-policy', 'noeviction'],
  ])
  /** What it calls itself. */
  runId = '0'.repeat(40)
  /** What a master is called by its replicas. A failover and a restart change it. */
  replicationId = '0'.repeat(40)
  /** What keeps it from its work. */
  trouble: Trouble | undefined
  /** What it is in a cluster; undefined where it stands alone. */
  place: { readonly cluster: Cluster; readonly self: ClusterNode } | undefined
  /** What it watches as a sentinel; undefined for a server with data. */
  watch: Watch | undefined
  /** What it is as a replica; undefined for a master. */
  replica: ReplicaState | undefined
  /** Its replicas. */
  readonly replicas: KnownReplica[] = []
  /** Is told what commands have changed. */
  onChange: ((change: Change) => void) | undefined
  /** What it says instead of running a command, as a proxy or another product would: by names such as `select` or `client|setname`. */
  readonly refusals = new Map<Bytes, Bytes>()
  readonly #options: ServerOptions
  readonly #users = new Map<Bytes, User>([
    ['default', { name: 'default', may: () => true, mayHear: () => true }],
  ])
  readonly #sessions = new Map<Session, RequestReader>()
  readonly #tracking = new Tracking({ [Symbol.iterator]: () => this.#sessions.keys() })
  readonly #random = new RandomNumbers()
  readonly #waiting = new Set<Waiting>()
  /** The connections that wait. What they send meanwhile runs later. */
  readonly #blocked = new Set<Session>()
  /** What the command that runs has changed. */
  readonly #changed = new Map<Database, Set<Bytes>>()
  /** How much was written. */
  #offset = 0
  #isInTransaction = false
  #now = 0
  #sessionIds = 0

  constructor(options: ServerOptions) {
    this.#options = options
    const { databases: length = DATABASES } = options
    this.databases = Array.from({ length }, (_, index) => new Database(index, this))
  }

  /** The time in whole milliseconds. It stands still while a command runs. */
  get now(): number {
    return this.#now
  }

  get info(): Bytes {
    return [
      '# Server',
      `redis_version:${this.version}`,
      `redis_mode:${this.place === undefined ? 'standalone' : 'cluster'}`,
      `run_id:${this.runId}`,
      '# Persistence',
      `loading:${this.trouble === 'loading' ? '1' : '0'}`,
      '# Replication',
      ...replicationInfo(this.replica, this.replicas, this.#offset),
      `master_replid:${this.replicationId}`,
      '# Cluster',
      `cluster_enabled:${this.place === undefined ? '0' : '1'}`,
      '',
    ].join('\r\n')
  }

  /** Adds a user. One with the name `default` is what connections are that have not said who they are, if it has no password. */
  addUser(user: User): void {
    this.#users.set(user.name, user)
  }

  userCalled(name: Bytes): User | undefined {
    return this.#users.get(name)
  }

  connect(link: Link): Session {
    const session: Session = new Session((this.#sessionIds += 1), this.databases[0] as Database, {
      write: (bytes) => {
        Server.monitor?.sent(this, session, bytes)
        link.write(bytes)
      },
      close: () => link.close(),
    })
    const user = this.#users.get('default')
    if (user?.password === undefined) session.user = user
    this.#sessions.set(session, new RequestReader())
    return session
  }

  /** Forgets a connection that has ended. What it has sent only in part is dropped. */
  disconnect(session: Session): void {
    session.isClosed = true
    this.#sessions.delete(session)
    Server.monitor?.disconnected(this, session)
  }

  /** Takes what a connection sends, and runs the commands that are whole. */
  receive(session: Session, piece: Bytes): void {
    const reader = this.#sessions.get(session)
    if (reader === undefined || session.isClosed) return
    try {
      for (const words of reader.read(piece)) this.serve(session, words)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      session.send(`-ERR Protocol error: ${error.message}\r\n`)
      session.close()
    }
  }

  /** Runs a command that a connection has sent, and sends its reply. */
  serve(session: Session, words: readonly Bytes[]): void {
    if (session.isClosed) return
    if (this.#blocked.has(session)) {
      session.later.push(words)
      return
    }
    const reply = this.#reply(session, words)
    this.#propagate(session)
    if (this.#blocked.has(session)) return
    if (reply !== NO_REPLY) session.send(written(reply))
    this.#tracking.end()
    Server.monitor?.served(this, session, words)
    this.#options.onCommand?.({ server: this, session, words, reply })
  }

  /** Runs a command as a connection, and returns its reply. */
  execute(session: Session, words: readonly Bytes[]): Reply {
    const reply = this.#reply(session, words)
    this.#propagate(session)
    this.#tracking.end()
    return reply
  }

  /** Removes all expired keys, as the active expiry of Redis does from time to time. */
  removeExpired(): void {
    this.#now = Math.floor(this.#options.now())
    for (const database of this.databases) database.removeExpired()
  }

  /** A whole number below `count`. */
  draw(count: number): number {
    return this.#options.draw(count)
  }

  /** Sends a message to all subscribers. Returns how many there are. */
  publish(channel: Bytes, message: Bytes, isSharded: boolean): number {
    const others = this.#othersToTell(isSharded)
    for (const server of others) server.#tell(channel, message, isSharded)
    return this.#tell(channel, message, isSharded)
  }

  /** The nodes of a cluster pass messages on to each other: those of slots to the replicas alone. */
  #othersToTell(isSharded: boolean): readonly Server[] {
    if (this.place === undefined) return []
    const { cluster, self } = this.place
    const shard = self.master ?? self
    const told = cluster.nodes.filter((node) => !isSharded || (node.master ?? node) === shard)
    return told.filter((node) => node !== self && !node.hasFailed).map(({ server }) => server)
  }

  #tell(channel: Bytes, message: Bytes, isSharded: boolean): number {
    const kind = isSharded ? 'shard' : 'channel'
    const listeners = this.listenersOf(kind, channel)
    const name = isSharded ? 'smessage' : 'message'
    for (const session of listeners) session.send(written([name, channel, message]))
    if (isSharded) return listeners.length
    let received = listeners.length
    for (const session of this.#sessions.keys())
      for (const pattern of session.channels.pattern)
        if (matches(pattern, channel)) {
          session.send(written(['pmessage', pattern, channel, message]))
          received += 1
        }
    return received
  }

  listenersOf(kind: ChannelKind, channel: Bytes): readonly Session[] {
    return [...this.#sessions.keys()].filter(({ channels }) => channels[kind].has(channel))
  }

  /** The channels with subscribers, of which the names match. */
  channelsLike(kind: ChannelKind, pattern?: Bytes): readonly Bytes[] {
    const all = new Set([...this.#sessions.keys()].flatMap(({ channels }) => [...channels[kind]]))
    return [...all].filter((channel) => pattern === undefined || matches(pattern, channel))
  }

  /** Ends subscriptions to channels of a slot that another node of the cluster has now, or of all slots, as Redis does. */
  leaveSlot(slot?: number): void {
    for (const session of this.#sessions.keys())
      for (const channel of session.channels.shard)
        if (slot === undefined || slotOf(channel) === slot) {
          session.channels.shard.delete(channel)
          session.send(written(['sunsubscribe', channel, session.channels.shard.size]))
        }
  }

  /** Whether there is a connection with an id. */
  hasSession(id: number): boolean {
    return [...this.#sessions.keys()].some((session) => session.id === id)
  }

  /** Ends the connection with an id. Returns how many that were. */
  kill(id: Bytes): number {
    const killed = [...this.#sessions.keys()].filter((session) => String(session.id) === id)
    for (const session of killed) session.close()
    return killed.length
  }

  /** Notifies of an expired key. */
  expired(key: Bytes, database: Database): void {
    Server.monitor?.expired(this, key, database)
    this.#notify(database, 'x', 'expired', key)
  }

  /** Invalidates a key that was changed in any way. */
  changed(key: Bytes, database: Database): void {
    this.#tracking.changed(key)
    this.amended(key, database)
  }

  /** Has replicas get a key that was changed in a way that no reader of it has to know. */
  amended(key: Bytes, database: Database): void {
    const keys = this.#changed.get(database) ?? new Set()
    this.#changed.set(database, keys.add(key))
  }

  /** How much was written: what replicas confirm. */
  get offset(): number {
    return this.#offset
  }

  /** Takes over what the master has changed. */
  replicate({ keys }: Change): void {
    for (const { database, key, entry } of keys) this.databases[database]?.copy(key, entry)
    this.#changed.clear()
  }

  /** A replica has confirmed what was written. */
  confirmed(replica: KnownReplica, offset: number): void {
    replica.offset = offset
    for (const waiting of [...this.#waiting])
      if (this.#confirming(waiting.offset) >= waiting.replicas) waiting.done(this.#confirming(waiting.offset))
  }

  /** Has a connection wait for replicas. Returns at once how many there are if that is enough, or if it may not wait. */
  waitForReplicas(session: Session, replicas: number, timeoutMs: number): number {
    const { writtenAt: offset } = session
    const { after } = this.#options
    const confirmed = this.#confirming(offset)
    if (confirmed >= replicas || this.#isInTransaction || after === undefined) return confirmed
    this.#blocked.add(session)
    const finish = (count: number) => {
      stop()
      this.#waiting.delete(waiting)
      this.#unblock(session, count)
    }
    const waiting: Waiting = { replicas, offset, done: finish }
    this.#waiting.add(waiting)
    const stop = timeoutMs === 0 ? () => undefined : after(timeoutMs, () => finish(this.#confirming(offset)))
    return confirmed
  }

  #confirming(offset: number): number {
    return this.replicas.filter((replica) => replica.offset >= offset).length
  }

  /** A connection goes on with what it has sent meanwhile. */
  #unblock(session: Session, reply: number): void {
    this.#blocked.delete(session)
    session.send(written(reply))
    for (const words of session.later.splice(0)) this.serve(session, words)
  }

  /** Tells replicas what a command has changed. */
  #propagate(session: Session): void {
    if (this.#changed.size > 0) this.#offset += 1
    session.writtenAt = this.#offset
    if (this.#changed.size === 0) return
    const changed = [...this.#changed]
    this.#changed.clear()
    this.onChange?.({
      offset: this.#offset,
      keys: changed.flatMap(([database, keys]) =>
        [...keys].map((key) => ({ database: database.index, key, entry: database.copyOf(key) })),
      ),
    })
  }

  /** Removes all keys of databases. */
  flush(databases: readonly Database[]): void {
    for (const database of databases) {
      for (const key of database.keys) this.changed(key, database)
      database.clear()
    }
    this.#tracking.flushed()
  }

  /**
   * What a script calls commands by. It begins with the database of its caller, and may select another for itself.
   *
   * @param keys - the keys that its caller has named
   */
  scriptHost(
    { session, database }: Context,
    { keys, isReadOnly }: { keys: readonly Bytes[]; isReadOnly: boolean },
  ): LuaHost {
    const inside = new Session(session.id, database, { write: () => undefined, close: () => undefined })
    inside.user = session.user
    let hasWritten = false
    return {
      random: this.#random,
      call: (words) =>
        refused(() => {
          const found = this.#commandFor(words, {
            unknown: () => 'ERR Unknown Redis command called from script',
            wrongCount: () => 'ERR Wrong number of args calling Redis command from script',
          })
          if (NOT_FROM_SCRIPT.test(found.name))
            throw new CommandError('ERR This Redis command is not allowed from script')
          const writes = found.effect === 'write' || found.effect === 'grow'
          if (writes && isReadOnly)
            throw new CommandError('ERR Write commands are not allowed from read-only scripts.')
          if (!isAllowed(inside, words))
            throw new CommandError("ERR The user executing the script can't run this command or subcommand")
          this.#demandLocal(words)
          if (!hasWritten) this.#demandHealth(found)
          hasWritten ||= writes
          // A script that reads anything has read all the keys of its caller.
          if (found.effect === 'read') this.#tracking.read(session, keys)
          return found.run(this.#contextOf(inside), words.slice(1))
        }),
    }
  }

  #reply(session: Session, words: readonly Bytes[]): Reply {
    this.#now = Math.floor(this.#options.now())
    this.#tracking.begin(session)
    return refused(() => this.#run(session, words))
  }

  #run(session: Session, words: readonly Bytes[]): Reply {
    const name = (words[0] ?? '').toLowerCase()
    if (session.user === undefined && !BEFORE_AUTH.has(name))
      throw new CommandError('NOAUTH Authentication required.')
    this.#demandNoRefusal(words)
    const own = this.#transact(session, name)
    if (own !== undefined) return own
    const found = this.#accept(session, words)
    if (session.transaction && !NOT_QUEUED.test(name)) {
      session.transaction.commands.push(words)
      return new Status('QUEUED')
    }
    return this.#call(session, found, words)
  }

  /** Runs a command that was found for its words. */
  #call(session: Session, { name, effect, run }: Command, [, ...args]: readonly Bytes[]): Reply {
    try {
      return run(this.#contextOf(session), args)
    } finally {
      if (effect === 'read') this.#tracking.read(session, keysRead(name, args)) // also those of another type
    }
  }

  /** Finds a command that may run. A transaction with another is not run. */
  #accept(session: Session, words: readonly Bytes[]): Command {
    try {
      const found = this.#commandFor(words, {
        unknown: () => unknownCommand(words),
        wrongCount: ({ name }) => `ERR wrong number of arguments for '${name}' command`,
      })
      this.#demandPermission(session, words)
      this.#demandPlace(session, [found], [words])
      if (session.isListening && !WHILE_LISTENING.test(found.name))
        throw new CommandError(
          `ERR Can't execute '${namesOf(words).at(-1) ?? ''}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context`,
        )
      this.#demandHealth(found)
      return found
    } catch (error) {
      if (session.transaction) session.transaction.isRefused = true
      throw error
    }
  }

  /** Begins, runs or drops a transaction. Returns nothing where the command is another. */
  #transact(session: Session, name: Bytes): Reply | undefined {
    const { transaction } = session
    if (name !== 'multi' && name !== 'exec' && name !== 'discard') return undefined
    if (name === 'exec') this.#demandExec(session)
    else this.#demandPermission(session, [name])
    if (name === 'multi') {
      if (transaction) throw new CommandError('ERR MULTI calls can not be nested')
      session.transaction = { commands: [], isRefused: false }
      return OK
    }
    if (!transaction) throw new CommandError(`ERR ${name.toUpperCase()} without MULTI`)
    session.transaction = undefined
    if (name === 'discard') return OK
    if (transaction.isRefused)
      throw new CommandError('EXECABORT Transaction discarded because of previous errors.')
    const all = transaction.commands.map((words) => ({
      words,
      found: commandOf(words) as Command,
    }))
    const found = all.map((each) => each.found)
    this.#demandPlace(session, found, transaction.commands)
    this.#isInTransaction = true
    try {
      return all.map((each) => refused(() => this.#call(session, each.found, each.words)))
    } finally {
      this.#isInTransaction = false
    }
  }

  /** A refused `EXEC` ends its transaction. */
  #demandExec(session: Session): void {
    try {
      this.#demandPermission(session, ['exec'])
      if (this.trouble === 'busy') throw new CommandError(BUSY)
    } catch (error) {
      session.transaction = undefined
      const { text } = error as CommandError
      throw new CommandError(`EXECABORT Transaction discarded because of: ${text}`)
    }
  }

  #commandFor(
    words: readonly Bytes[],
    texts: { unknown: () => Bytes; wrongCount: (command: Command) => Bytes },
  ): Command {
    const found = commandOf(words)
    if (found === undefined) throw new CommandError(texts.unknown())
    demandSubcommand(words)
    const { arity } = found
    if (arity > 0 ? words.length !== arity : words.length < -arity)
      throw new CommandError(texts.wrongCount(found))
    return found
  }

  #demandPermission(session: Session, words: readonly Bytes[]): void {
    if (!isAllowed(session, words))
      throw new CommandError(
        `NOPERM this user has no permissions to run the '${namesOf(words).at(-1) ?? ''}' command`,
      )
  }

  /** Demands that this node of a cluster serves all keys of commands. */
  #demandPlace(session: Session, found: readonly Command[], all: readonly (readonly Bytes[])[]): void {
    const { isAsking } = session
    if (!found.some(({ name }) => name === 'asking')) session.isAsking = false
    if (this.place === undefined) return
    const channels = all.flatMap(shardChannelsOf)
    const mayReadReplica =
      channels.length > 0 ||
      (session.isReadOnly && found.every(({ effect }) => effect === 'read' || effect === 'control'))
    const has = (key: Bytes) => channels.includes(key) || session.database.find(key) !== undefined
    demandPlace(this.place, [...all.flatMap(keysOf), ...channels], { isAsking, mayReadReplica, has })
  }

  /** Demands that a script of this node uses keys of it alone. */
  #demandLocal(words: readonly Bytes[]): void {
    const { place } = this
    if (place === undefined) return
    const isHere = (key: Bytes) => {
      const slot = slotOf(key)
      return (
        place.cluster.owners[slot] === (place.self.master ?? place.self) ||
        place.cluster.moves.get(slot)?.to === place.self
      )
    }
    if (!keysOf(words).every(isHere))
      throw new CommandError('ERR Script attempted to access a non local key in a cluster node')
  }

  #demandNoRefusal(words: readonly Bytes[]): void {
    if (this.refusals.size === 0) return
    const refusal = namesOf(words)
      .map((name) => this.refusals.get(name))
      .find((text) => text !== undefined)
    if (refusal !== undefined) throw new CommandError(refusal)
  }

  #demandHealth(found: Command): void {
    const trouble = this.trouble ?? (this.replica && 'readonly')
    const refusal = trouble && refusalOf(trouble, found)
    if (refusal !== undefined) throw new CommandError(refusal)
  }

  #contextOf(session: Session): Context {
    const { database } = session
    return {
      server: this,
      session,
      database,
      notify: (kind, event, key) => {
        this.#notify(database, kind, event, key)
      },
    }
  }

  /** Publishes what has happened to a key, if the settings say so. */
  #notify({ index }: Database, kind: string, event: Bytes, key: Bytes): void {
    const flags = this.settings.get('notify-keyspace-events') ?? ''
    if (flags === '' || !(flags.includes('A') || flags.includes(kind))) return
    if (flags.includes('K')) this.#tell(`__keyspace@${String(index)}__:${key}`, event, false)
    if (flags.includes('E')) this.#tell(`__keyevent@${String(index)}__:${event}`, key, false)
  }
}

/** Whether the user of a connection may run a command. Every one may say who it is. */
function isAllowed({ user }: Session, words: readonly Bytes[]): boolean {
  const names = namesOf(words)
  return user === undefined || BEFORE_AUTH.has(names[0] ?? '') || names.every((name) => user.may(name))
}

/** The channels of slots, which belong to a node as keys do. */
function shardChannelsOf([name = '', ...args]: readonly Bytes[]): readonly Bytes[] {
  if (/^spublish$/i.test(name)) return args.slice(0, 1)
  return /^s(un)?subscribe$/i.test(name) ? args : []
}

function demandSubcommand([name = '', subcommand]: readonly Bytes[]): void {
  if (subcommand === undefined || SUBCOMMANDS[name.toLowerCase()]?.test(subcommand.toLowerCase()) !== false)
    return
  throw new CommandError(`ERR unknown subcommand '${subcommand}'. Try ${name.toUpperCase()} HELP.`)
}

/** The names of a command by which it can be refused: its own, and that of its subcommand. */
function namesOf([name = '', subcommand = '']: readonly Bytes[]): readonly Bytes[] {
  const [own, second] = [name.toLowerCase(), subcommand.toLowerCase()]
  return SUBCOMMANDS[own]?.test(second) === true ? [own, `${own}|${second}`] : [own]
}

/** Runs a command, and makes a reply of what it refuses. */
function refused(run: () => Reply): Reply {
  try {
    return run()
  } catch (error) {
    if (error instanceof CommandError) return new Refusal(error.text)
    throw error
  }
}

/** What Redis says of a command that it does not know. Words end for it with a byte of zero. */
function unknownCommand([name = '', ...args]: readonly Bytes[]): Bytes {
  const shown = args.map((arg) => `'${arg.replace(/\0.*/s, '')}' `).join('')
  return `ERR unknown command '${name.slice(0, 128)}', with args beginning with: ${shown.slice(0, 128)}`
}
