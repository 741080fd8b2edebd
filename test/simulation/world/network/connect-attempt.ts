import type { Chance } from '../chance.js'
import { Connection, whoOf, type ClientSide, type Wiring } from './connection.js'
import { connectError } from './errors.js'
import { Latency } from './latency.js'
import type { Link } from './link.js'
import type { ConnectFate, Route } from './message.js'
import type { ListeningServer } from './server.js'

/** Who asks to connect, and where. */
export interface Attempt {
  readonly client: ClientSide
  readonly route: Route
  readonly link: Link
  readonly chance: Chance
  /** The address of the client. */
  readonly address: string
  readonly host: string
  readonly port: number
}

/** The system asks again after these pauses while there is no reply, and then gives up (Linux, `tcp_syn_retries`). */
const RETRIES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000]

/** An attempt to connect, which takes as long as a message there and one back. */
export class ConnectAttempt {
  readonly #wiring: Wiring
  readonly #attempt: Attempt
  readonly #latency: Latency
  readonly #fate: ConnectFate
  #isGivenUp = false

  constructor(wiring: Wiring, attempt: Attempt) {
    this.#wiring = wiring
    this.#attempt = attempt
    this.#latency = new Latency(wiring.clock, wiring.options, attempt.link, attempt.chance.fork('connect'))
    this.#fate = wiring.decideConnect(attempt.route, attempt.chance)
    this.#note('connect')
    this.#ask(0)
  }

  /** The client has closed its socket. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  get #isOver(): boolean {
    return this.#isGivenUp || this.#attempt.client.loop.hasEnded
  }

  #ask(times: number): void {
    const run = () => {
      if (!this.#isOver) this.#arrive(times)
    }
    this.#inNetwork(this.#latency.next(), run)
  }

  #arrive(times: number): void {
    const { partition } = this.#attempt.link
    if (this.#fate === 'hang' || partition === 'lose' || partition === 'hold') {
      this.#askAgain(times)
      return
    }
    const server = this.#wiring.serverAt(this.#attempt.route.address)
    const isRefused = this.#fate === 'refuse' || partition === 'refuse' || server?.isAway !== false
    if (isRefused) this.#refuse('ECONNREFUSED')
    else this.#accept(server)
  }

  #askAgain(times: number): void {
    const pauseMs = RETRIES_MS[times]
    const { clock } = this.#wiring
    if (pauseMs === undefined) this.#refuse('ETIMEDOUT')
    else this.#inNetwork(clock.now + pauseMs, () => this.#ask(times + 1))
  }

  #accept(server: ListeningServer): void {
    const { client } = this.#attempt
    const connection = new Connection(this.#wiring, { ...this.#attempt, server })
    const { clock } = this.#wiring
    const what = whoOf(this.#attempt.route)
    const accept = () => server.listener.accept(connection)
    clock.schedule({ at: clock.now, loop: server.loop, kind: 'message', what, run: accept })
    this.#inProcess(() => {
      this.#note('open')
      client.connected(connection)
    })
  }

  #refuse(code: 'ECONNREFUSED' | 'ETIMEDOUT'): void {
    const { client } = this.#attempt
    this.#inProcess(() => {
      if (this.#isGivenUp) return
      this.#note(code)
      client.failed(connectError(code, this.#attempt))
    })
  }

  #inNetwork(at: number, run: () => void): void {
    const { clock } = this.#wiring
    clock.schedule({ at, loop: clock.outside, kind: 'message', what: whoOf(this.#attempt.route), run })
  }

  #inProcess(run: () => void): void {
    const { loop, resource } = this.#attempt.client
    const what = whoOf(this.#attempt.route)
    this.#wiring.clock.schedule({ at: this.#latency.next(), loop, resource, kind: 'message', what, run })
  }

  #note(kind: string): void {
    const { clock, trace } = this.#wiring
    const { route } = this.#attempt
    trace.add({ at: clock.now, who: whoOf(route), kind, facts: route.address })
  }
}
