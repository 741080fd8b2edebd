import type { LocalLimits } from '../../collections/local-cached-map/cache/bounded-entries.js'
import type { CommandExecutor } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { ReplyCache } from './reply-cache.js'
import { TrackingExecutor } from './tracking-executor.js'

/** Ends the replies of executors that no object refers to any more. */
const unused = new FinalizationRegistry<ReplyCache>((cache) => {
  cache.destroy()
})

/** Makes an executor that keeps replies, and where it keeps them. They end when the executor is garbage-collected. */
export function openReplyCache(
  context: ObjectContext,
  limits: LocalLimits,
): { readonly cache: ReplyCache; readonly executor: CommandExecutor } {
  const cache = new ReplyCache(context, limits)
  const executor = new TrackingExecutor(context.executor, cache)
  unused.register(executor, cache)
  return { cache, executor }
}
