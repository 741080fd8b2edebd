import type { CodecOptions, ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RFunction } from './function/function.api.js'
import type { RKeys } from './keys/keys.api.js'
import type { RScript } from './script/script.api.js'
import type { LeaderElection, LeaderElectionSettings } from './leader-election/leader-election.api.js'
import type { Once, OnceSettings } from './once/once.api.js'

export type * from './batch/batch.api.js'
export type * from './function/function.api.js'
export type * from './keys/keys.api.js'
export type * from './leader-election/leader-election.api.js'
export type * from './once/once.api.js'
export type * from './script/script.api.js'

/** The services that a client hands out. */
export interface ServiceObjects extends RequestObjects {
  /**
   * Runs functions once among all processes, such as the jobs of a schedule that every process has.
   *
   * @example
   * ```ts
   * const nightly = client.getOnce('nightly-report', { ttlMs: 3_600_000 })
   * const { ran } = await nightly.run(({ signal }) => report(signal), { fire: scheduledTime })
   * ```
   */
  getOnce(name: string, settings: OnceSettings): Once

  /**
   * Elects one leader among all processes.
   *
   * @example
   * ```ts
   * const election = client.getLeaderElection('scheduler')
   * await election.run(async ({ signal }) => schedule(signal))
   * ```
   */
  getLeaderElection(name: string, settings?: LeaderElectionSettings): LeaderElection
}

/** The services whose calls are requests and nothing else. */
export interface RequestObjects {
  /**
   * Returns the keys of all masters, whatever objects they belong to. Nothing is sent until it is used.
   *
   * @throws TypeError for an option that is unknown or wrong
   * @example
   * ```ts
   * const keys = client.getKeys()
   * console.log(await keys.count(), await keys.unlinkByPattern('session:*'))
   * ```
   */
  getKeys(options?: ObjectOptions): RKeys

  /**
   * Runs scripts in Lua of the program's own. Nothing is sent until it is used.
   *
   * @throws TypeError for an option that is unknown or wrong
   * @example
   * ```ts
   * const script = client.getScript()
   * console.log(await script.eval('READ_WRITE', 'return #ARGV', 'INTEGER', [], 'a', 'b')) // 2
   * ```
   */
  getScript<V = unknown>(options?: ValueOptions<V>): RScript<V>

  /**
   * Calls functions in Lua of the program's own, which Redis stores, and manages their libraries. Takes Redis 7. Nothing is sent until it is used.
   *
   * @throws TypeError for an option that is unknown or wrong; there is no `exactlyOnce`, as {@link RFunction.call} says
   * @example
   * ```ts
   * const fn = client.getFunction()
   * await fn.loadAndReplace('counting', "redis.register_function('count', function(keys, args) return #args end)")
   * console.log(await fn.call('READ_WRITE', 'count', 'INTEGER', [], 'a', 'b')) // 2
   * ```
   */
  getFunction<V = unknown>(options?: CodecOptions<V>): RFunction<V>
}
