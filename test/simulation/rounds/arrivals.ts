import type { Entry } from '../../../chaos/history.js'
import type { Breach } from '../../../chaos/random-use/check.js'
import type { SharedObject } from '../../../chaos/random-use/objects.js'
import { locksTakenAlone, usesOf } from './uses.js'

/**
 * Looks for callers of a fair lock that were served before others who had come earlier.
 *
 * @param apartMs - how much earlier a call has to begin so that it is certain to arrive first
 */
export function checkArrivals(
  entries: readonly Entry[],
  objects: readonly SharedObject[],
  apartMs: number,
): Breach[] {
  const fair = locksTakenAlone(objects).filter(({ kind }) => kind === 'fair' || kind === 'non-reentrant-fair')
  return fair.flatMap(({ name }) => {
    // A holder that enters again does not wait.
    const served = usesOf(entries, name).filter((use) => use.isGranted && use.begin.within === undefined)
    return served.flatMap((later) => {
      const passed = served.find(
        (earlier) => earlier.begin.at + apartMs < later.begin.at && earlier.returnedAt > later.returnedAt,
      )
      if (passed === undefined) return []
      const what = `${name}: ${later.begin.process} was served before ${passed.begin.process}, who had come ${(later.begin.at - passed.begin.at).toFixed(1)} ms earlier`
      return [{ kind: 'order', what, entries: [passed.begin, later.begin] }]
    })
  })
}
