import { FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import { mappedName } from '../../core/arguments/arguments.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'

/** Whatever there is under one key. */
export class SingleKey extends RedissonExpirable {
  /** Any name will do, as there is no other key. */
  protected override keyNamed(context: ObjectContext, name: string): string {
    return mappedName(context, name)
  }

  protected override get reading(): RunOptions {
    return FROM_ANY_NODE
  }
}
