import type { AsyncResource } from 'node:async_hooks'
import type { Chance } from '../chance.js'
import type { Clock } from '../clock.js'
import type { EventLoop } from '../event-loop.js'
import { shortened, type Trace } from '../trace.js'
import { readError } from './errors.js'
import type { NetworkOptions } from './faults.js'
import { CommandFramer } from './frames.js'
import type { Flow } from './lane.js'
import { Latency } from './latency.js'
import type { Link } from './link.js'
import { Message, type ConnectFate, type Fate, type Route } from './message.js'
import { Pipe } from './pipe.js'
import type { ListeningServer, ServerSide } from './server.js'

/** The client's end of a connection. All of it is called by the event loop of its process. */
export interface ClientSide {
  readonly loop: EventLoop
  readonly resource: AsyncResource
  connected(connection: Connection): void
  received(bytes: string): void
  /** The server has closed the connection. */
  ended(): void
  failed(error: Error): void
}

/** What a connection needs of the network. */
export interface Wiring {
  readonly clock: Clock
  readonly trace: Trace
  readonly options: () => Required<NetworkOptions>
  readonly serverAt: (address: string) => ListeningServer | undefined
  readonly decideConnect: (route: Route, chance: Chance) => ConnectFate
  readonly decideRequest: (command: Message, chance: Chance) => Fate
  readonly decideReply: (reply: Message, chance: Chance) => Fate
  readonly handled: (command: Message) => void
}

/** The two ends of a connection, and what is between them. */
export interface Ends {
  readonly route: Route
  readonly client: ClientSide
  readonly server: ListeningServer
  readonly link: Link
  readonly chance: Chance
  /** The address of the client. */
  readonly address: string
}

/** When the system gives up a connection on which what was sent is not confirmed (Linux, `tcp_retries2`). */
const RETRANSMISSION_MS = 924_000

/** When a server notices that its client is gone without a word (Redis, `tcp-keepalive`). */
const SERVER_KEEP_ALIVE_MS = 300_000

type ToServer = { readonly bytes: string; readonly isDecided?: boolean } | 'close'
type ToClient = { readonly bytes: string } | Ending

/** How a connection ends for the client. */
type Ending = 'end' | 'reset'
const ENDINGS: readonly Ending[] = ['end', 'reset']

/** A connection between a process and a server. */
export class Connection implements ServerSide {
  readonly route: Route
  readonly host: string
  readonly address: string
  readonly #wiring: Wiring
  readonly #ends: Ends
  readonly #who: string
  readonly #up: Pipe<ToServer>
  readonly #down: Pipe<ToClient>
  readonly #upLatency: Latency
  readonly #downLatency: Latency
  /** What waits to be sent, where the bandwidth of the link is limited. */
  readonly #upFlow: Flow
  readonly #downFlow: Flow
  readonly #framer = new CommandFramer()
  /** What the server runs. */
  #command: Message | undefined
  #isClientOpen = true
  #isServerOpen = true
  #isEnding = false
  #isLossNoted = false
  #onData: (bytes: string) => void = () => undefined
  #onClose: () => void = () => undefined

  constructor(wiring: Wiring, ends: Ends) {
    const { client, server, link, chance, route } = ends
    const { clock, options } = wiring
    this.#wiring = wiring
    this.#ends = ends
    this.route = route
    this.host = route.host
    this.address = ends.address
    this.#who = whoOf(route)
    this.#upLatency = new Latency(clock, options, link, chance.fork('up'))
    this.#downLatency = new Latency(clock, options, link, chance.fork('down'))
    this.#up = new Pipe(clock, { loop: server.loop, what: this.#who, arrived: this.#arriveAtServer })
    const toClient = { loop: client.loop, resource: client.resource, arrived: this.#arriveAtClient }
    this.#down = new Pipe(clock, { ...toClient, what: this.#who })
    this.#upFlow = link.up.open(server.loop)
    this.#downFlow = link.down.open(client.loop)
    link.connections.add(this)
    server.connections.add(this)
  }

  get loop(): EventLoop {
    return this.#ends.client.loop
  }

  /**
   * The client sends bytes: each whole command among them is a message.
   *
   * @param taken - called when the system of the client has taken all of them
   */
  send(bytes: string, taken: () => void): void {
    for (const command of this.#framer.push(bytes))
      this.#upFlow.send(command.length, () => this.#toServer({ bytes: command }))
    if (this.backlog === 0) taken()
    else this.#upFlow.whenTaken(() => this.#inClient(taken))
  }

  /** How many bytes the system of the client has not taken yet. */
  get backlog(): number {
    return this.#upFlow.backlog
  }

  /** The client sends no more. */
  end(): void {
    if (!this.#up.isBroken && !this.#isEnding) {
      this.#isEnding = true
      this.#note('end', '')
      this.#upFlow.send(0, () => {
        this.#toServer('close')
        this.#up.close()
      })
    }
    this.#giveUpLater()
  }

  /** The client has closed, or its process has ended: what is under way to the server arrives, and nothing else does. */
  closeClient(): void {
    if (!this.#isClientOpen) return
    this.#isClientOpen = false
    this.#upFlow.dropBacklog()
    this.#downFlow.drop()
    this.end()
    this.#forgetIfClosed()
  }

  /**
   * Breaks the connection: what the client has sent is lost, and what the server writes from now on.
   *
   * @param ending - what the client notices
   */
  cut(ending: Ending = this.#ends.chance.pick(ENDINGS), noticedAt = this.#upLatency.next()): void {
    const { clock } = this.#wiring
    this.#breakUp()
    this.#downFlow.drop()
    this.#toClient(ending)
    this.#down.close()
    const run = () => this.#closeServer()
    clock.schedule({ at: noticedAt, loop: this.#ends.server.loop, kind: 'message', what: this.#who, run })
  }

  /** The process of the server has ended. */
  crashServer(): void {
    this.#note('crash', '')
    this.cut('reset', this.#wiring.clock.now)
  }

  /** The link has lost or regained its two ends. */
  partitionChanged(): void {
    const { partition } = this.#ends.link
    if (partition === 'refuse') this.cut()
    for (const pipe of [this.#up, this.#down]) {
      if (partition === 'hold') pipe.hold()
      else if (partition === 'lose') this.#loseUnlessEmpty(pipe)
    }
    if (partition !== undefined) return
    this.#up.release(this.#upLatency.next())
    this.#down.release(this.#downLatency.next())
  }

  onData(handler: (bytes: string) => void): void {
    this.#onData = handler
  }

  onClose(handler: () => void): void {
    this.#onClose = handler
  }

  write(bytes: string): void {
    if (!this.#isServerOpen) return
    const reply = new Message('reply', this.route, bytes, this.#command)
    if (this.#down.isBroken) {
      this.#note('lost', bytes)
      return
    }
    const fate = this.#wiring.decideReply(reply, this.#ends.chance)
    this.#note(kindOf('reply', fate), bytes)
    this.#reply(bytes, fate)
  }

  close(): void {
    if (!this.#isServerOpen) return
    this.#note('close', '')
    this.#endServer()
  }

  #reply(bytes: string, fate: Fate): void {
    if (typeof fate === 'object') {
      const { delayMs } = fate
      this.#downFlow.send(bytes.length, () => this.#toClient({ bytes }, delayMs))
      return
    }
    if (fate === 'lose') {
      this.#down.close()
      this.#noticeLater()
    }
    if (fate === 'deliver' || fate === 'cut-after') this.#send(bytes)
    if (fate === 'cut-within') this.#send(halfOf(bytes))
    if (fate.startsWith('cut')) this.cut()
  }

  /** A reply that takes long arrives bit by bit. */
  #send(bytes: string): void {
    for (const piece of this.#ends.link.down.piecesOf(bytes))
      this.#downFlow.send(piece.length, () => this.#toClient({ bytes: piece }))
  }

  readonly #arriveAtServer = (): void => {
    for (let item = this.#up.take(); item !== undefined; item = this.#up.take()) {
      if (item === 'close') this.#closeServer()
      else this.#request(item)
    }
  }

  #request({ bytes, isDecided = false }: Exclude<ToServer, string>): void {
    const command = new Message('command', this.route, bytes)
    const fate = isDecided ? 'deliver' : this.#wiring.decideRequest(command, this.#ends.chance)
    this.#noteRequest(kindOf('request', fate), command)
    if (typeof fate === 'object') {
      this.#up.putBack({ bytes, isDecided: true }, this.#wiring.clock.now + fate.delayMs)
      return
    }
    if (fate === 'lose') this.#lose(this.#up)
    if (fate.startsWith('cut')) this.cut() // before the server runs it, so that its reply is lost
    if (fate === 'cut-within') this.#onData(halfOf(bytes))
    if (fate === 'deliver' || fate === 'cut-after') this.#handle(command)
  }

  #handle(command: Message): void {
    this.#command = command
    this.#onData(command.bytes)
    this.#command = undefined
    this.#wiring.handled(command)
  }

  readonly #arriveAtClient = (): void => {
    let bytes = ''
    for (let item = this.#down.take(); item !== undefined; item = this.#down.take()) {
      if (typeof item === 'object') bytes += item.bytes
      else {
        this.#receive(bytes)
        bytes = ''
        this.#endClient(item)
      }
    }
    this.#receive(bytes)
  }

  #receive(bytes: string): void {
    if (this.#isClientOpen && bytes !== '') this.#ends.client.received(bytes)
  }

  #endClient(ending: Ending): void {
    if (!this.#isClientOpen) return
    this.#note(ending, '')
    if (ending === 'end') this.#ends.client.ended()
    else this.#ends.client.failed(readError('ECONNRESET'))
  }

  /** The server notices that the client is gone. */
  #closeServer(): void {
    if (!this.#isServerOpen) return
    this.#note('closed', '')
    this.#endServer()
    this.#onClose()
  }

  #endServer(): void {
    this.#isServerOpen = false
    this.#breakUp()
    this.#downFlow.send(0, () => {
      this.#toClient('end')
      this.#down.close()
    })
    this.#forgetIfClosed()
  }

  #toServer(item: ToServer): void {
    const at = this.#upLatency.arrival()
    if (this.#ends.link.partition === 'lose') this.#lose(this.#up)
    this.#up.send(item, at)
  }

  #toClient(item: ToClient, delayMs = 0): void {
    const at = this.#downLatency.arrival() + delayMs
    if (this.#ends.link.partition === 'lose') this.#lose(this.#down)
    this.#down.send(item, at)
  }

  /** Loses all that the client has sent. */
  #breakUp(): void {
    this.#up.break()
    this.#upFlow.drop()
  }

  #loseUnlessEmpty(pipe: Pipe<ToServer> | Pipe<ToClient>): void {
    if (!pipe.isEmpty) this.#lose(pipe)
  }

  #lose(pipe: Pipe<ToServer> | Pipe<ToClient>): void {
    pipe.break()
    this.#noticeLater()
  }

  /** A connection that has lost bytes never works again. Both sides notice that much later, unless they end it before. */
  #noticeLater(): void {
    if (this.#isLossNoted) return
    this.#isLossNoted = true
    const { clock } = this.#wiring
    const { client, server } = this.#ends
    const plan = { kind: 'message', what: this.#who, isRef: false } as const
    const fail = () => this.#timeOut()
    const close = () => this.#closeServer()
    clock.schedule({
      ...plan,
      at: clock.now + RETRANSMISSION_MS,
      loop: client.loop,
      resource: client.resource,
      run: fail,
    })
    clock.schedule({ ...plan, at: clock.now + SERVER_KEEP_ALIVE_MS, loop: server.loop, run: close })
  }

  /** The system of the client does not send again for ever what has not arrived when the connection ends, and resets one that has lost bytes. */
  #giveUpLater(): void {
    const { clock, options } = this.#wiring
    const { lingerMs } = options()
    if (lingerMs === Infinity) return
    const { loop } = this.#ends.server
    const run = () => this.#closeServer()
    clock.schedule({ at: clock.now + lingerMs, loop, kind: 'message', what: this.#who, run, isRef: false })
  }

  #inClient(run: () => void): void {
    const { clock } = this.#wiring
    const { loop, resource } = this.#ends.client
    clock.schedule({ at: clock.now, loop, resource, kind: 'message', what: this.#who, run })
  }

  #timeOut(): void {
    if (this.#isClientOpen) this.#ends.client.failed(readError('ETIMEDOUT'))
  }

  #forgetIfClosed(): void {
    if (this.#isClientOpen || this.#isServerOpen) return
    const { link } = this.#ends
    link.up.close(this.#upFlow)
    link.down.close(this.#downFlow)
    link.connections.delete(this)
    this.#ends.server.connections.delete(this)
  }

  #note(kind: string, facts: string): void {
    const { clock, trace } = this.#wiring
    trace.add({ at: clock.now, who: this.#who, kind, facts, text: () => shortened(facts) })
  }

  #noteRequest(kind: string, command: Message): void {
    const { clock, trace } = this.#wiring
    const { describe } = this.#ends.server.listener
    const text = () => describe?.(command.words) ?? shortened(command.words.join(' '))
    trace.add({ at: clock.now, who: this.#who, kind, facts: command.bytes, text })
  }
}

/** How the trace names a connection. */
export function whoOf({ host, connection }: Route): string {
  return `${host}#${connection}`
}

function kindOf(usual: string, fate: Fate): string {
  if (typeof fate === 'object') return `${usual}+${fate.delayMs}ms`
  return fate === 'deliver' ? usual : fate
}

function halfOf(bytes: string): string {
  return bytes.slice(0, Math.max(1, bytes.length >> 1))
}
