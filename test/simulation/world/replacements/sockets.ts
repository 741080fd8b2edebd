import net from 'node:net'
import tls from 'node:tls'
import { SimulatedSocket } from '../network/socket.js'
import { activeSimulation } from '../simulation.js'
import { replaceBy, type Replacement } from './replacement.js'

/** Replaces the functions of `node:net` that connect, and refuses those that are not simulated. */
export function socketReplacements(): readonly Replacement[] {
  return [
    replaceBy(net, 'createConnection', connect),
    replaceBy(net, 'connect', connect),
    replaceBy(net.Socket.prototype, 'connect', refusing('net.Socket.connect()', realSocketConnect)),
    replaceBy(tls, 'connect', refusing('tls.connect()', tls.connect)),
  ]
}

const realConnect = net.createConnection
const realSocketConnect: unknown = Reflect.get(net.Socket.prototype, 'connect')

function connect(...args: unknown[]): unknown {
  const simulation = activeSimulation()
  if (simulation === undefined) return Reflect.apply(realConnect, net, args)
  const socket = new SimulatedSocket(simulation, targetOf(args))
  const listener = args.at(-1)
  if (typeof listener === 'function') socket.once('connect', listener as () => void)
  return socket
}

interface Options {
  readonly host?: string
  readonly port?: number | string
  readonly path?: string
}

function targetOf(args: readonly unknown[]): { readonly host: string; readonly port: number } {
  const { host = 'localhost', port, path } = optionsOf(args)
  if (path === undefined) return { host, port: Number(port) }
  throw new Error(`A simulation has no sockets with a path, got ${path}`)
}

function optionsOf([first, second]: readonly unknown[]): Options {
  if (typeof first === 'object') return first as Options
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { path: first }
  return { port: Number(first), ...(typeof second === 'string' && { host: second }) }
}

/** A function that only works while there is no simulation. */
function refusing(name: string, original: unknown): unknown {
  return function (this: unknown, ...args: unknown[]): unknown {
    if (activeSimulation() === undefined) return Reflect.apply(original as () => unknown, this, args)
    throw new Error(`${name} is not simulated`)
  }
}
