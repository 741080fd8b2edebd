import type { LeaderElection, Leadership } from '../../../src/index.js'
import { resourcesOf, type ElectionObject, type Resource } from '../objects.js'
import type { Lead } from '../program.js'
import type { Claim } from './claims.js'
import { Failed, type ServiceFacts } from './service-facts.js'
import type { Visit } from './visit.js'
import { GaveUp } from '../gave-up.js'
import { wordFor } from './word-for.js'

/** Competes for a leadership, and does steps while it leads. */
export async function lead(step: Lead, object: ElectionObject, facts: ServiceFacts): Promise<void> {
  const { name, leaseMs } = object
  const election = facts.client.getLeaderElection(name, leaseMs === undefined ? {} : { leaseMs })
  const candidate = new Candidate(election, object, facts)
  const end = new AbortController()
  const timer = setTimeout(() => {
    end.abort(new GaveUp(`after ${String(step.forMs)} ms`))
  }, step.forMs)
  try {
    await election.run(
      async (leadership) => {
        await candidate.lead(leadership)
        if (step.fails === true) throw new Failed('as planned')
      },
      { signal: end.signal, requeue: step.requeue },
    )
    candidate.end()
  } catch (error) {
    candidate.endBy(error)
  } finally {
    clearTimeout(timer)
  }
}

/** A client is one candidate at most; another flow of it was first. */
const COMPETES_ALREADY = 'ELECTION_RUNNING'

/** One who competes, as it is written to the history. */
class Candidate {
  readonly #election: LeaderElection
  readonly #object: ElectionObject
  readonly #facts: ServiceFacts
  readonly #resource: Resource
  /** The leadership that is being given up: it is known to be over only when the next one begins, or the competing ends. */
  #before: Visit | undefined
  #next: Visit

  constructor(election: LeaderElection, object: ElectionObject, facts: ServiceFacts) {
    this.#election = election
    this.#object = object
    this.#facts = facts
    this.#resource = resourcesOf(object)[0] as Resource
    this.#next = facts.visit(this.#resource)
  }

  async lead({ signal, token }: Leadership): Promise<void> {
    const { watch } = this.#facts
    this.#before?.left()
    const visit = this.#next
    visit.granted(token)
    const claim: Claim = {
      visit,
      object: { kind: 'fenced', name: keyOf(this.#object) },
      number: -1,
      owner: undefined,
      id: undefined,
      isHeld: () => this.#election.isLeader && !signal.aborted,
    }
    await watch.during(claim, () => this.#facts.inside([claim]))
    visit.leaving()
    this.#before = visit
    this.#next = this.#facts.visit(this.#resource)
  }

  end(): void {
    this.#before?.left()
    this.#next.refused()
  }

  endBy(error: unknown): void {
    if (error instanceof Failed || wordFor(error) === COMPETES_ALREADY) {
      this.end()
      return
    }
    this.#before?.left()
    if (this.#next.answered) this.#facts.recorder.rejected('lead', wordFor(error))
    else this.#next.failed(error)
  }
}

/** Where the leader is in Redis. */
function keyOf({ name }: ElectionObject): string {
  return `ioredisson_leader:{${name}}`
}
