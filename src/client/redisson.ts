import { randomUUID } from 'node:crypto'
import type { RedissonEvents } from '../api/events.js'
import type { AnyLock, RMultiLock } from '../locks/multi/multi-lock.api.js'
import type { LockSettings } from '../locks/locks.api.js'
import type { RedissonClient } from '../api/redisson-client.js'
import type { RedissonOptions } from '../api/redisson-options.js'
import { loadOptions } from '../config/file/load-config.js'
import { resolveConfig } from '../config/resolve-config.js'
import { createConnection } from '../connection/create-connection.js'
import { kindOf } from '../codec/codec-failure.js'
import { demandNoMore } from '../core/arguments/options.js'
import { OtherCopyError } from '../errors/client-errors.js'
import { redLock } from '../locks/multi/composite-lock.js'
import { isBranded } from '../util/brand.js'
import { Emitter } from '../util/emitter.js'
import { inspectShort } from '../util/inspect-short.js'
import { Client } from './client.js'
import { connectionName } from './connection-name.js'
import { Runtime } from './runtime.js'

/** A client: a shorter name of {@link RedissonClient}. */
export type Redisson = RedissonClient

/** Where clients come from. */
export const Redisson: {
  /**
   * Connects to Redis.
   *
   * @param source - settings, or the path of a YAML or JSON file that has them, or the URL of a single server
   * @throws {@link ConfigError} if a setting is missing, unknown or of the wrong kind; no socket was opened then
   * @throws `TypeError` if the `codec` of the settings is none
   * @throws {@link AuthenticationError} if a server refuses the user name or the password
   * @throws {@link ConnectionLostError} if the servers cannot be reached
   */
  create(source: RedissonOptions | string): Promise<RedissonClient>
  /**
   * Reads the settings of a YAML or JSON file, to add what a file cannot have, such as functions, or to make several clients of one file. Nothing is connected.
   *
   * @param source - the path of the file, or the URL of a single server
   * @throws {@link ConfigError} if the file cannot be read or understood. Unknown settings are refused by `create`
   * @example
   * ```ts
   * const settings = await Redisson.loadOptions('redisson.yaml')
   * const client = await Redisson.create({ ...settings, failFast: true })
   * ```
   */
  loadOptions(source: string): Promise<RedissonOptions>
  /**
   * A lock that holds as long as a majority of independent servers grants it, by the published Redlock algorithm.
   *
   * @param clients - one of each server, best an odd number of them
   * @param names - its name; or several, and then a server grants it by a multi-lock of all of them
   * @throws {@link SameLockError} if two clients are of the same server
   * @throws {@link OtherCopyError} for a client of another copy of this package
   * @example
   * ```ts
   * await Redisson.createRedLock(clients, ['account:1', 'account:2']).withLock(() => transfer())
   * ```
   */
  createRedLock(
    clients: readonly RedissonClient[],
    names: string | readonly string[],
    settings?: LockSettings,
  ): RMultiLock
} = {
  async create(source: RedissonOptions | string, surplus?: unknown): Promise<RedissonClient> {
    demandOneSource(surplus, 'a URL goes into the settings, as `singleServerConfig.address`')
    const settings = resolveConfig(typeof source === 'string' ? await loadOptions(source) : source)
    const id = randomUUID()
    const config = { ...settings, clientName: settings.clientName ?? connectionName(id) }
    const events = new Emitter<RedissonEvents>()
    events.hold() // for the listeners that the program adds as soon as it has the client
    const client = new Client(new Runtime(id, config, await createConnection(config, events), events))
    setImmediate(() => {
      events.flush()
    })
    return client
  },

  async loadOptions(source: string, surplus?: unknown): Promise<RedissonOptions> {
    demandOneSource(surplus, 'add settings to what it returns')
    if (typeof source !== 'string')
      throw new TypeError(`Expected \`source\` to be a text, got ${kindOf(source)}`)
    return await loadOptions(source)
  },

  createRedLock(
    clients: readonly RedissonClient[],
    names: string | readonly string[],
    settings?: LockSettings,
    surplus?: unknown,
  ): RMultiLock {
    demandNoMore(surplus)
    const all: readonly string[] = Array.isArray(names) ? names : [names]
    return redLock(demandClients(clients).map((client) => lockOf(client, all, settings)))
  },
}

/** Says of what kind a second argument is, and no more: it may be a password. */
function demandOneSource(surplus: unknown, hint: string): void {
  if (surplus === undefined) return
  throw new TypeError(`Expected no further argument, got ${kindOf(surplus)}: ${hint}`)
}

function demandClients(clients: unknown): readonly RedissonClient[] {
  if (Array.isArray(clients) && clients.every((client: unknown) => client instanceof Client)) return clients
  if (Array.isArray(clients) && clients.some(isOfAnotherCopy)) throw new OtherCopyError('client')
  throw new TypeError(`Expected \`clients\` to be a list of clients, got ${inspectShort(clients)}`)
}

function isOfAnotherCopy(client: unknown): boolean {
  return isBranded(client) && !(client instanceof Client)
}

/** A lock of one name, or of all of several. */
function lockOf(client: RedissonClient, names: readonly string[], settings?: LockSettings): AnyLock {
  const locks = [...new Set(names)].map((name) => client.getLock(name, settings))
  const [only] = locks
  return only !== undefined && locks.length === 1 ? only : client.getMultiLock(...locks)
}
