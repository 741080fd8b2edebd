import { createServer } from 'node:net'

/** A server could not have its port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError'

  constructor(port: number, options?: ErrorOptions) {
    super(`Port ${port} is taken`, options)
  }
}

/**
 * The ports to choose from. These and the cluster bus ports above them lie below those that systems give to outgoing
 * connections, so that a server can be restarted, or a proxy opened again, on the port that it had.
 */
const FIRST_PORT = 10_240
const LAST_PORT = 22_239
/** From a cluster node's port to that of its bus. */
const BUS_DISTANCE = 10_000

const MOST_ATTEMPTS = 5

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

/** Ports of the loopback interface that are free at the moment, together with the bus port of each. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1))
    if (ports.has(port)) continue
    if ((await isFree(port)) && (await isFree(port + BUS_DISTANCE))) ports.add(port)
  }
  return [...ports]
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => {
      resolve(false)
    })
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => {
        resolve(true)
      })
    })
  })
}
