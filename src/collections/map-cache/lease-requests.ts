import { randomBytes } from 'node:crypto'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { Argument, Key } from '../../connection/connection.js'
import { mapCacheKeys, mapCacheLeases } from '../../core/context/names.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { mayHaveTakenEffect } from '../../errors/after-effect.js'
import type { Life } from './map-cache-options.js'
import * as scripts from './lease.scripts.js'

/** As many random ones as a token of Redisson has. */
const TOKEN_BYTES = 16

/** What ends a lease is sent although a signal has ended the call that took it. */
const NEVER = new AbortController().signal

/** For how long a lease that reached no caller is ended, in milliseconds, where Redis cannot be reached. */
const END_MS = 60_000

/** What was found at a key: its value; or the token of the lease of its load, and whether the call has taken that. */
export interface FoundOrLeased {
  readonly value: Buffer | undefined
  readonly leaseToken: string | undefined
  readonly isLeaseAcquired: boolean
}

/** Sends the requests about the leases under which values of a map cache are loaded. */
export class LeaseRequests {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  /** A copy of the request finds the lease of the first one by its token. A lease that reaches no caller is ended. */
  async get(field: Argument, leaseMs: number): Promise<FoundOrLeased> {
    const token = newToken(field)
    try {
      const args = { token, leaseMs, field }
      const [isFound, value, holder, isTaken] = await this.#requests.ask(
        scripts.getWithLease,
        args,
        this.#keysOf(field),
      )
      return isFound
        ? { value, leaseToken: undefined, isLeaseAcquired: false }
        : { value: undefined, leaseToken: holder, isLeaseAcquired: isTaken }
    } catch (error) {
      if (mayHaveTakenEffect(error)) this.#end(field, token, leaseMs)
      throw error
    }
  }

  /** Returns whether it was set. */
  put(field: Argument, value: Argument, token: string, { ttlMs, idleMs }: Life): Promise<boolean> {
    const args = { token, ttlMs, idleMs, field, value }
    return this.#requests.ask(scripts.putWithLease, args, this.#keysOf(field))
  }

  /** Returns whether there was a value. */
  remove(field: Argument): Promise<boolean> {
    return this.#requests.ask(scripts.removeWithLease, { field }, this.#keysOf(field))
  }

  /** Ends a lease in the background. What cannot be ended ends by itself. */
  #end(field: Argument, token: string, leaseMs: number): void {
    const insistMs = Math.min(leaseMs, END_MS)
    const options: RunOptions = { insistMs, until: performance.now() + insistMs, signal: NEVER }
    const call = { keys: { lease: leaseOf(this.#requests.key, field) }, args: { token } }
    void this.#requests.run(scripts.endLease, call, options).catch(() => undefined)
  }

  #keysOf(field: Argument) {
    const { key } = this.#requests
    return { ...mapCacheKeys(key), lease: leaseOf(key, field) }
  }
}

/** A token that names the entry: see `lua/shared/holder.lua`. */
function newToken(field: Argument): string {
  const bytes = Buffer.isBuffer(field) ? field.length : Buffer.byteLength(String(field))
  return `${randomBytes(TOKEN_BYTES).toString('hex')}:${String(bytes)}`
}

/** The lease under which the value of a field is loaded. */
export function leaseOf(cache: string, field: Argument): Key {
  const leases = mapCacheLeases(cache)
  return Buffer.isBuffer(field) ? Buffer.concat([Buffer.from(leases), field]) : leases + String(field)
}
