import { createServer, type Server, type Socket } from 'node:net'
import { LOOPBACK } from './server-plans.js'

/** A server could not have its port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'

  constructor(port: number, options?: ErrorOptions) {
    super(`Port ${port} is taken`, options)
  }
}

/**
 * Ports are given out in blocks. The process that listens at the first port of a block has the others for itself until it ends, so that no
 * other process gets one whose server is down, whose proxy refuses connections, or where nobody is to listen.
 *
 * The blocks, and the cluster bus ports above all of them, lie below the ports that systems give to outgoing connections.
 */
const FIRST_PORT = 10_240
const BLOCK_SIZE = 25
const BLOCKS = 400
/** From a cluster node's port to that of its bus. */
const BUS_DISTANCE = 10_000

const MOST_ATTEMPTS = 5

/** The ports of this process's blocks that it has not used yet. */
const unused: number[] = []
/** Those that it has used, the oldest first. */
const used: number[] = []

/** Starts servers on ports that are free, and on others when another process was quicker. */
export async function onFreePorts<T>(
  count: number,
  start: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePorts(count))
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

/**
 * Ports of the loopback interface that are free at the moment, together with the bus port of each. None of them is given out again while
 * there are others, also when nobody listens there.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = unused.shift()
    if (port === undefined) unused.push(...(await claimBlock()))
    else if ((await isFree(port)) && (await isFree(port + BUS_DISTANCE))) ports.push(port)
  }
  used.push(...ports)
  return ports
}

/** Listens at a port of the loopback interface. */
export function listenAt(port: number, serve: (client: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, serve)
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(port, { cause: error }) : error)
    })
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      resolve(server)
    })
  })
}

/** The ports of a block that belongs to this process from now on; where there is none, those that it has used, as a program that runs for hours may. */
async function claimBlock(): Promise<number[]> {
  const start = Math.floor(Math.random() * BLOCKS)
  for (let passed = 0; passed < BLOCKS; passed += 1) {
    const first = FIRST_PORT + BLOCK_SIZE * ((start + passed) % BLOCKS)
    const claim = await tryListen(first)
    if (claim === undefined) continue
    claim.unref()
    return Array.from({ length: BLOCK_SIZE - 1 }, (_, index) => first + 1 + index)
  }
  if (used.length === 0) throw new Error('All blocks of ports belong to other processes')
  return used.splice(0)
}

async function isFree(port: number): Promise<boolean> {
  const server = await tryListen(port)
  if (server === undefined) return false
  await new Promise((resolve) => server.close(resolve))
  return true
}

/** Listens at a port only to have it, unless another has it. */
function tryListen(port: number): Promise<Server | undefined> {
  return listenAt(port, (client) => client.destroy()).catch((error: unknown) => {
    if (error instanceof PortTakenError) return undefined
    throw error
  })
}
