import { demandTurns } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { DEFAULT_COUNT } from '../../core/arguments/scan-settings.js'
import { mapCacheKeys } from '../../core/context/names.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { FIRST_CURSOR } from '../../core/pages.js'
import { afterEffect } from '../../errors/after-effect.js'
import * as scripts from './option.scripts.js'

/** Sends the requests about the options of one map cache, which all its clients share: how large it may be, and whether there are listeners. */
export class OptionRequests {
  readonly #requests: ObjectRequests
  /** The keys beside the map. */
  readonly #keys: ReturnType<typeof mapCacheKeys>

  constructor(requests: ObjectRequests) {
    this.#requests = requests
    this.#keys = mapCacheKeys(requests.key)
  }

  /** From now on changes of entries are published. */
  async setListeners(): Promise<void> {
    await this.#set(['has-listeners', 1], false)
  }

  /** Limits the size, if that was never done. Removes what is too much. Returns whether it did. */
  async limit(fields: readonly Argument[], onlyIfUnset: boolean): Promise<boolean> {
    demandTurns(this.#requests, 'setMaxSize()')
    const isSet = await this.#set(fields, onlyIfUnset)
    try {
      if (isSet) await this.#applyLimit()
    } catch (error) {
      throw afterEffect(error)
    }
    return isSet
  }

  async #applyLimit(): Promise<void> {
    let cursor = FIRST_CURSOR
    do cursor = await this.#limitSome(cursor)
    while (cursor !== FIRST_CURSOR)
    while ((await this.#limitSome('')) === '1');
  }

  #limitSome(cursor: string): Promise<string> {
    return this.#requests.ask(scripts.limit, { cursor, count: DEFAULT_COUNT }, this.#keys)
  }

  /** Returns whether it did. */
  #set(fields: readonly Argument[], onlyIfUnset: boolean): Promise<boolean> {
    const script = onlyIfUnset ? scripts.trySetOptions : scripts.setOptions
    const { access, options } = this.#keys
    return this.#requests.ask(script, { onlyIfUnset: onlyIfUnset ? 1 : 0, fields }, { access, options })
  }
}
