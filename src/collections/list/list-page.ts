import { FROM_MASTER } from '../../command/operation/command-executor.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { FIRST_CURSOR, type Page } from '../../core/pages.js'
import * as commands from './list.commands.js'

/** Some elements of a list, and the index of the next one. All pages come from the master: a replica may still have another list. */
export async function listPage(
  requests: ObjectRequests,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Page<Buffer>> {
  const found = await requests.ask(commands.range, { from, to: from + count - 1 }, {}, FROM_MASTER)
  return [found.length < count ? FIRST_CURSOR : String(from + count), found]
}

/** The same from the last element on, which comes first. */
export async function listPageFromBehind(
  requests: ObjectRequests,
  { skipped, count }: { readonly skipped: number; readonly count: number },
): Promise<Page<Buffer>> {
  const range = { from: -skipped - count, to: -skipped - 1 }
  const found = await requests.ask(commands.range, range, {}, FROM_MASTER)
  return [found.length < count ? FIRST_CURSOR : String(skipped + count), found.toReversed()]
}
