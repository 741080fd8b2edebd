import { fireOf, type OnceObject } from '../objects.js'
import type { Once } from '../program.js'
import { Failed, type ServiceFacts } from './service-facts.js'
import { wordFor } from './word-for.js'

/** Does steps once for a fire. */
export async function runOnce(step: Once, object: OnceObject, facts: ServiceFacts): Promise<void> {
  const { client, recorder } = facts
  const { retry, fails = false } = step
  const once = client.getOnce(object.name, { ttlMs: object.ttlMs })
  const fire = dueFire(step, object, recorder.now())
  const visit = facts.visit(fireOf(object, fire))
  const removes = fails && (retry === 'onError' || retry === 'both')
  const run = async (): Promise<void> => {
    visit.granted()
    await facts.inside([])
    if (removes) visit.leaving() // from now on another one may run it
    if (fails) throw new Failed('as planned')
  }
  try {
    const { ran } = await once.run(run, { fire, ...(retry && { retry }) })
    if (!ran) visit.refused()
  } catch (error) {
    if (!visit.answered) visit.failed(error)
    else if (!(error instanceof Failed)) recorder.rejected('once', wordFor(error))
  }
  if (removes) visit.left()
}

function dueFire({ fire }: Once, { everyMs, fires }: OnceObject, now: number): number {
  return everyMs === undefined ? fire : Math.floor(now / everyMs) % fires
}
