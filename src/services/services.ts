import type { CodecOptions, ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RFunction } from '../api/services/function.js'
import type { RKeys } from '../api/services/keys.js'
import type { RScript } from '../api/services/script.js'
import type { LeaderElection, LeaderElectionSettings } from '../api/services/leader-election.js'
import type { Once, OnceSettings } from '../api/services/once.js'
import { keyOf } from '../core/arguments.js'
import type { LockContext } from '../core/object-context.js'
import { codecSettings, valueSettings } from '../core/object-settings.js'
import type { Locks } from '../locks/locks.js'
import { RedissonFunction } from './function/function.js'
import { RedissonKeys } from './keys/keys.js'
import { Elections } from './leader-election/elections.js'
import { Marks } from './once/marks.js'
import { RedissonScript } from './script/script.js'
import { RedissonOnce } from './once/once.js'

/** Makes the services of a client. */
export class Services {
  readonly #context: LockContext
  readonly #marks: Marks
  readonly #elections: Elections

  constructor(context: LockContext, locks: Locks) {
    this.#context = context
    this.#marks = new Marks({ ...context, executor: context.ahead })
    this.#elections = new Elections(context, locks)
  }

  getOnce(name: string, settings: OnceSettings): Once {
    return new RedissonOnce(this.#marks, { name, key: keyOf(this.#context, name), settings })
  }

  getKeys(options: ObjectOptions = {}): RKeys {
    return new RedissonKeys(this.#context, options)
  }

  getScript<V>(options: ValueOptions<V> = {}): RScript<V> {
    return new RedissonScript(this.#context, valueSettings(options, this.#context))
  }

  getFunction<V>(options: CodecOptions<V> = {}): RFunction<V> {
    return new RedissonFunction(this.#context, codecSettings(options, this.#context))
  }

  getLeaderElection(name: string, settings: LeaderElectionSettings = {}): LeaderElection {
    return this.#elections.get(name, settings)
  }
}
