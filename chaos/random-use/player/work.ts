import { WorkLostError, type WorkLimiterSettings } from '../../../src/index.js'
import { resourcesOf, type WorkObject } from '../objects.js'
import type { Work } from '../program.js'
import type { Claim } from './claims.js'
import type { ServiceFacts } from './service-facts.js'
import { sureUntil } from './sure.js'
import { patienceOf } from './wishes.js'
import { wordFor, wordForWait } from './word-for.js'

/** Does steps when a work limiter lets them begin. */
export async function work(step: Work, object: WorkObject, facts: ServiceFacts): Promise<void> {
  const { client, recorder, watch, watchdogMs } = facts
  const { weight, priority, waitMs } = step
  const limiter = client.getWorkLimiter(object.name, settingsOf(object))
  const visit = facts.visit(...Array.from({ length: weight }, () => resourcesOf(object)).flat())
  const askedAt = recorder.now()
  using patience = patienceOf(step)
  const run = async (signal: AbortSignal): Promise<void> => {
    visit.granted()
    const claim: Claim = {
      visit,
      object: { kind: 'semaphore', name: object.name, permits: object.concurrency },
      number: -1,
      owner: undefined,
      id: undefined,
      sureUntil: sureUntil(askedAt, watchdogMs),
      isHeld: () => !(signal.reason instanceof WorkLostError), // it also aborts when the caller gives up
    }
    await watch.during(claim, () => facts.inside([claim]))
    visit.leaving()
  }
  try {
    const options = { weight, priority, ...(waitMs !== undefined && { waitMs }), ...patience.wish }
    await limiter.run(({ signal }) => run(signal), options)
    visit.left()
  } catch (error) {
    if (visit.answered) recorder.rejected('work', wordFor(error))
    else visit.failed(error, waitMs === undefined ? wordFor(error) : wordForWait(wordFor(error)))
  }
}

function settingsOf({ concurrency, rate }: WorkObject): WorkLimiterSettings {
  return rate === undefined ? { concurrency } : { concurrency, rate }
}
