import type { CommandExecutor } from '../../command/command-executor.js'
import { FIRST_CURSOR, type Page } from '../../core/pages.js'
import * as commands from './list.commands.js'

/** Some elements of a list, and the index of the next one. All pages come from the master: a replica may still have another list. */
export async function listPage(
  executor: CommandExecutor,
  list: string,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Page<Buffer>> {
  const call = { keys: { list }, args: { from, to: from + count - 1 } }
  const found = await executor.run(commands.range, call)
  return [found.length < count ? FIRST_CURSOR : String(from + count), found]
}
