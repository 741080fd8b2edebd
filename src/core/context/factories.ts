import { guarded, type Method } from '../../util/refuse-surplus.js'
import type { ObjectContext } from './object-context.js'

/** What makes an object: what every object is given, and what those of one client share. */
export interface FactoryContext<C extends ObjectContext = ObjectContext> {
  readonly context: C
  readonly shared: SharedServices<C>
}

/** Does what a method that hands out an object does. Its first parameter is what the object is made with; those after it are those of the method. */
export type Factory<M, C extends ObjectContext = ObjectContext> = M extends (...args: infer A) => infer R
  ? (given: FactoryContext<C>, ...args: A) => R
  : never

/** A factory for each method of an interface that hands out objects. */
export type Factories<T, C extends ObjectContext = ObjectContext> = {
  readonly [M in keyof T]: Factory<T[M], C>
}

type AnyFactory<C extends ObjectContext> = (given: FactoryContext<C>, ...args: readonly unknown[]) => object

/** Services that objects of one client share: one of each class, made when it is first needed. */
export class SharedServices<C extends ObjectContext = ObjectContext> {
  readonly #context: C
  readonly #services = new Map<unknown, unknown>()

  constructor(context: C) {
    this.#context = context
  }

  /** @param type - takes the context of a client; in a batch, which has another, such a service is added */
  get<T extends object>(type: new (context: never) => T): T {
    const service = (this.#services.get(type) as T | undefined) ?? new type(this.#context as never)
    this.#services.set(type, service)
    return service
  }

  /** Adds a service that was made elsewhere. */
  add<T extends object>(type: new (context: never) => T, service: T): void {
    this.#services.set(type, service)
  }
}

/** A class that has a method for each of some factories. A method refuses arguments that its factory would ignore. */
export function handingOut<T extends object, C extends ObjectContext>(
  factories: Factories<T, C>,
): new (given: FactoryContext<C>) => T {
  class HandingOut {
    readonly #given: FactoryContext<C>

    constructor(given: FactoryContext<C>) {
      this.#given = given
    }

    static {
      for (const [name, make] of Object.entries<AnyFactory<C>>(factories as never)) {
        const methods = {
          [name](this: HandingOut, ...args: readonly unknown[]): object {
            return make(this.#given, ...args)
          },
        }
        const value = guarded(name, methods[name] as Method, { most: make.length - 1 })
        Object.defineProperty(this.prototype, name, { value, writable: true, configurable: true })
      }
    }
  }
  return HandingOut as never
}
