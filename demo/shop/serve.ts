import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tell } from '../../test/support/child-side.js'
import { LOOPBACK } from '../../test/support/launch/server-plans.js'

/** What became of an order. */
export type Answer = 'sold' | 'sold-out'

const STATUS: Readonly<Record<Answer, number>> = { sold: 201, 'sold-out': 410 }

/** Longer than the demo: a connection that the balancer keeps is never closed under its hands. */
const KEEP_ALIVE_MS = 300_000

/** Opens the shop: each request to `/orders/<buyer>` is an order. Reports the port to the parent. */
export async function serve(sell: (buyer: string) => Promise<Answer>): Promise<void> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, ({ url = '' }, response) => {
    void answer(response, sell(url.slice(url.lastIndexOf('/') + 1))) // never rejects
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  tell('open', { port: (server.address() as AddressInfo).port })
}

async function answer(response: ServerResponse, sale: Promise<Answer>): Promise<void> {
  try {
    response.statusCode = STATUS[await sale]
  } catch (error) {
    console.error(error)
    response.statusCode = 500
  }
  response.end()
}
