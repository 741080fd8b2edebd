import { keyOf } from '../../../core/arguments/arguments.js'
import type { LockContext } from '../../../core/context/object-context.js'

declare const called: unique symbol

type Called<What extends string> = string & { readonly [called]: What }

/** The name of a lock, as the program gave it. */
export type LockName = Called<'name'>

/** The key of a lock in Redis, which locks may share: those of values of one group do, and the sides of a read-write lock. */
export type LockKey = Called<'key'>

/** What distinguishes the holds of a lock from those of other locks of this client. */
export type LockIdentity = Called<'identity'>

export interface LockNames {
  readonly name: LockName
  readonly key: LockKey
}

/** Returns the name of a lock, and its key: that which the client makes of the name, unless another one is given. */
export function lockNames(context: LockContext, name: string, key = keyOf(context, name)): LockNames {
  return { name: name as LockName, key: key as LockKey }
}

/** @param kind - which of the locks of one key it is, where some are different locks */
export function lockIdentity(
  kind: 'plain' | 'read' | 'write' | 'values' | 'multi' | 'red',
  within: string,
): LockIdentity {
  return `${kind}:${within}` as LockIdentity
}
