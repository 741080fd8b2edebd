import { snowflakeBounds } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { Lease, type RenewalKind } from '../../renewal/lease.js'
import type { Layout } from './layout.js'
import { NodeIds } from './node-ids.js'
import { NodeNumber } from './node-number.js'
import { NodeRequests } from './node-requests.js'
import { renew } from './snowflake.scripts.js'

/** Which snowflake is meant. */
interface Which {
  /** The name, as the program gave it. */
  readonly name: string
  readonly key: string
  readonly layout: Layout
}

/** The ids of a snowflake in a client, and how many objects use them. */
interface Shared {
  readonly ids: NodeIds
  users: number
}

/** One object's part in a snowflake. */
export interface SnowflakeUse {
  readonly ids: NodeIds
  /** Gives the node number back if no other object uses it. */
  end(): Promise<void>
}

/** The snowflakes of a client, by name and layout. */
export class Snowflakes {
  readonly #context: LockContext
  readonly #shared = new Map<string, Shared>()
  readonly #numbers = new WeakMap<Lease, NodeNumber>()
  readonly #renewal: RenewalKind

  constructor(context: LockContext) {
    this.#context = { ...context, executor: context.ahead }
    this.#renewal = {
      name: 'node-number',
      divisible: true,
      renew: (...args) => this.#renew(...args),
    }
    context.onClose(() => Promise.all([...this.#shared.values()].map(({ ids }) => ids.release())))
  }

  /** The ids of a snowflake; undefined if no object uses them. */
  find(key: string, layout: Layout): NodeIds | undefined {
    return this.#shared.get(`${String(layout)} ${key}`)?.ids
  }

  /** Registers one more object that uses the ids of a snowflake. */
  use(which: Which): SnowflakeUse {
    const place = `${String(which.layout)} ${which.key}`
    const shared = this.#shared.get(place) ?? { ids: this.#idsOf(which), users: 0 }
    this.#shared.set(place, shared)
    shared.users += 1
    return {
      ids: shared.ids,
      end: async () => {
        shared.users -= 1
        if (shared.users > 0) return
        await shared.ids.release()
        void shared.ids.settled().then(() => {
          if (shared.users === 0) this.#shared.delete(place)
        })
      },
    }
  }

  #idsOf({ name, key, layout }: Which): NodeIds {
    const context = this.#context
    const { renewal, topology, closing, config } = context
    return new NodeIds({
      name,
      closing,
      requests: new NodeRequests({ context, name, key, layout }),
      numberOf: (taken, clock, onLost) => {
        const facts = { kind: this.#renewal, name: key, owner: taken.token, slot: topology.slotOf(key) }
        const leaseOf = (holder: NodeNumber) => new Lease(facts, holder)
        const number = new NodeNumber(taken, {
          object: name,
          layout,
          leaseOf,
          leaseMs: config.lockWatchdogTimeoutMs,
          onLost,
          clock,
        })
        this.#numbers.set(number.lease, number)
        return number
      },
      track: (number) => {
        renewal.track(number.lease)
      },
      untrack: (number) => {
        renewal.untrack(number.lease)
      },
    })
  }

  async #renew(...[leases, leaseMs, deadline]: Parameters<RenewalKind['renew']>): Promise<boolean[]> {
    const numbers = leases.map((lease) => this.#numbers.get(lease))
    const call = {
      keys: { keys: leases.flatMap(({ name }) => [name, snowflakeBounds(name)]) },
      args: { leaseMs, holders: leases.flatMap(({ owner }, at) => [owner, numbers[at]?.now ?? 0]) },
    }
    const windows = await this.#context.executor.run(renew, call, {
      deadline,
      divisible: leases.length > 1,
    })
    return numbers.map((number, at) => {
      const [until = 0, serverMs = 0] = windows.slice(2 * at)
      if (until > 0) number?.extend(until, serverMs)
      return until > 0
    })
  }
}
