import { AsyncResource } from 'node:async_hooks'
import type { AddressInfo, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { EventLoop } from '../event-loop.js'
import type { Simulation } from '../simulation.js'
import { Timer } from '../replacements/timer.js'
import type { ConnectAttempt } from './connect-attempt.js'
import type { ClientSide, Connection } from './connection.js'

/** A chunk that waits until the socket is connected. */
interface Unsent {
  readonly bytes: string
  readonly done: () => void
}

/** Writes that a stream passes on at once. */
type Chunks = readonly { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[]

/** What `net.createConnection()` returns in a simulation. */
export class SimulatedSocket extends Duplex implements ClientSide {
  readonly loop: EventLoop
  readonly resource = new AsyncResource('SIMULATEDSOCKET', { requireManualDestroy: true })
  connecting = true
  bytesRead = 0
  bytesWritten = 0
  remoteAddress: string | undefined
  remotePort: number | undefined
  remoteFamily: 'IPv4' | undefined
  localAddress: string | undefined
  localPort: number | undefined
  /** As `setTimeout()` has set it. */
  timeout = 0
  readonly #simulation: Simulation
  readonly #target: { readonly host: string; readonly port: number }
  readonly #attempt: ConnectAttempt
  #connection: Connection | undefined
  #unsent: Unsent | undefined
  #onConnected: (() => void) | undefined
  #idle: Timer | undefined
  /** How much was waiting when that was last looked at. */
  #lastBacklog = 0

  constructor(simulation: Simulation, target: { readonly host: string; readonly port: number }) {
    super({ allowHalfOpen: false, decodeStrings: false, emitClose: false })
    this.#simulation = simulation
    this.#target = target
    this.loop = simulation.clock.current
    this.#attempt = simulation.network.connect(this, target)
  }

  get pending(): boolean {
    return this.connecting
  }

  /** What Node shows of the system's socket: how many bytes it was given, and how many of them it has not taken yet. */
  get _handle(): { readonly bytesWritten: number; readonly writeQueueSize: number } | null {
    return this.destroyed ? null : { bytesWritten: this.bytesWritten, writeQueueSize: this.#backlog }
  }

  get readyState(): Socket['readyState'] {
    if (this.connecting) return 'opening'
    if (this.readable && this.writable) return 'open'
    if (this.readable) return 'readOnly'
    return this.writable ? 'writeOnly' : 'closed'
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  address(): AddressInfo | Record<string, never> {
    if (this.localAddress === undefined) return {}
    return { address: this.localAddress, port: Number(this.localPort), family: 'IPv4' }
  }

  /** Emits `timeout` when nothing has been sent or received for so long. */
  setTimeout(ms: number, callback?: () => void): this {
    this.#idle?.close()
    this.timeout = ms
    this.#idle = ms > 0 ? this.#startIdleTimer(ms) : undefined
    if (callback !== undefined) {
      if (ms > 0) this.once('timeout', callback)
      else this.off('timeout', callback)
    }
    return this
  }

  connected(connection: Connection): void {
    if (this.destroyed) {
      connection.closeClient()
      return
    }
    this.#connection = connection
    this.connecting = false
    this.#setAddresses(connection.address)
    this.#idle?.refresh()
    this.emit('connect')
    this.emit('ready')
    this.#sendUnsent()
    this.#onConnected?.()
  }

  received(bytes: string): void {
    this.bytesRead += bytes.length
    this.#idle?.refresh()
    this.push(Buffer.from(bytes, 'latin1'))
  }

  ended(): void {
    this.push(null)
  }

  failed(error: Error): void {
    this.destroy(error)
  }

  override _read(): void {
    // What arrives is pushed.
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#send(bytesOf(chunk, encoding), done)
  }

  override _writev(chunks: Chunks, done: () => void): void {
    this.#send(chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding)).join(''), done)
  }

  override _final(done: () => void): void {
    const end = () => {
      this.#connection?.end()
      done()
    }
    if (this.connecting) this.#onConnected = end
    else end()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connecting = false
    this.#idle?.close()
    this.#attempt.giveUp()
    this.#connection?.closeClient()
    done(error)
    const { clock } = this.#simulation
    const { loop, resource } = this
    const run = () => this.emit('close', error !== null)
    clock.schedule({ at: clock.now, loop, resource, kind: 'close', what: 'socket', run })
  }

  #startIdleTimer(ms: number): Timer {
    const timer = new Timer(this.#simulation.clock, () => this.#idleIsOver(), [], ms, 'once')
    return timer.unref()
  }

  /** A socket that still sends what was written to it is not idle, as in Node. */
  #idleIsOver(): void {
    const before = this.#lastBacklog
    this.#lastBacklog = this.#backlog
    if (before > 0 && before !== this.#lastBacklog) this.#idle?.refresh()
    else this.emit('timeout')
  }

  get #backlog(): number {
    return this.#connection?.backlog ?? 0
  }

  #setAddresses(local: string): void {
    const [localAddress, localPort] = local.split(':')
    this.localAddress = localAddress
    this.localPort = Number(localPort)
    this.remoteAddress = this.#target.host
    this.remotePort = this.#target.port
    this.remoteFamily = 'IPv4'
  }

  #send(bytes: string, done: () => void): void {
    if (this.connecting) {
      this.#unsent = { bytes, done }
      return
    }
    this.bytesWritten += bytes.length
    this.#idle?.refresh()
    const taken = () => {
      this.#idle?.refresh()
      done()
    }
    this.#connection?.send(bytes, taken)
    this.#lastBacklog = this.#backlog
  }

  #sendUnsent(): void {
    if (this.#unsent === undefined || this.destroyed) return
    const { bytes, done } = this.#unsent
    this.#unsent = undefined
    this.#send(bytes, done)
  }
}

/** Bytes as latin1 characters. */
function bytesOf(chunk: Buffer | string, encoding: BufferEncoding): string {
  if (typeof chunk !== 'string') return chunk.toString('latin1')
  return isAscii(chunk) ? chunk : Buffer.from(chunk, encoding).toString('latin1')
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}
