import { FROM_MASTER } from '../../command/operation/command-executor.js'
import type { ScanSettings } from '../../core/arguments/scan-settings.js'
import type { Page } from '../../core/pages.js'
import { SetReader } from '../set/set-reader.js'
import * as scripts from './set-cache.scripts.js'

/** Reads the bytes of all values that have not ended. */
export class SetCacheReader extends SetReader {
  override page(
    cursor: string,
    { pattern, count }: Pick<ScanSettings, 'pattern' | 'count'>,
  ): Promise<Page<Buffer>> {
    return this.requests.ask(scripts.page, { cursor, pattern, count }, {}, FROM_MASTER)
  }

  protected override few(most: number): Promise<readonly Buffer[] | undefined> {
    return this.requests.ask(scripts.readAll, { most })
  }
}
