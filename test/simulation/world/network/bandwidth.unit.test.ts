import { createConnection, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { commandOf, ToyServer } from '../fixtures/toy-server.js'
import { install } from '../install.js'
import { createWorld, type World } from '../world.js'

const ADDRESS = '10.0.0.1:6379'
const MB = 1_000_000

let uninstall: () => void
let world: World | undefined

beforeAll(() => {
  uninstall = install()
})

afterEach(() => {
  world?.close()
})

afterAll(() => {
  uninstall()
})

/** A world with one server and one process, whose link lets four megabytes through a second. */
function setUp(bandwidth = 4 * MB) {
  const opened = createWorld(1, { network: { latencyMs: [1, 1], split: 0, bandwidth } })
  world = opened
  const server = new ToyServer()
  opened.listen(ADDRESS, server, {})
  const host = opened.host('a', { uptimeMs: 0 })
  const open = () =>
    opened.until(host.start(() => createConnection({ host: '10.0.0.1', port: 6379 }))).then(connected)
  const connected = async (socket: Socket) => {
    await opened.until(new Promise((resolve) => socket.once('connect', resolve)))
    return socket
  }
  return { world: opened, clock: opened.clock, network: opened.network, server, host, open }
}

/** What Node shows of a socket's system: how many bytes it has not taken yet. */
function backlogOf(socket: Socket): number {
  return (Reflect.get(socket, '_handle') as { readonly writeQueueSize: number }).writeQueueSize
}

/** Asks for a value of some size to be sent back. Returns when its last byte has arrived. */
function echo({ clock }: World, socket: Socket, value: string): Promise<number> {
  const before = socket.bytesRead
  socket.write(commandOf('ECHO', value))
  return new Promise((resolve) =>
    socket.on('data', () => {
      if (socket.bytesRead - before >= value.length) resolve(clock.now)
    }),
  )
}

describe('a link with a bandwidth', () => {
  it('takes time for what is large, in each direction', async () => {
    const { world, host, open } = setUp()
    const socket = await open()
    const start = world.clock.now
    const at = await world.until(host.start(() => echo(world, socket, 'x'.repeat(20 * MB))))
    expect(at - start).toBeGreaterThan(10_000)
    expect(at - start).toBeLessThan(10_010)
  })

  it('brings what is large bit by bit, so that a client sees it come', async () => {
    const { world, host, open } = setUp()
    const socket = await open()
    const done = host.start(() => echo(world, socket, 'x'.repeat(4 * MB)))
    await world.run(world.clock.now + 1_502) // it is at the server, and half of it is back
    expect(socket.bytesRead / MB).toBeCloseTo(2, 1)
    await world.until(done)
  })

  it('shows how much of what was written has not left the program', async () => {
    const { world, host, open } = setUp()
    const socket = await open()
    const done = host.start(() => echo(world, socket, 'x'.repeat(4 * MB)))
    const left: number[] = []
    for (const ms of [10, 250, 250, 250]) {
      await world.run(world.clock.now + ms)
      left.push(backlogOf(socket))
    }
    expect(left.every((size, n) => n === 0 || size < Number(left[n - 1]))).toBe(true)
    expect([Number(left[0]) > 2.8 * MB, left.at(-1), socket.writableLength]).toEqual([true, 0, 0])
    await world.until(done)
  })

  it('has what stands behind a large value wait, on the same connection', async () => {
    const { world, host, open } = setUp()
    const socket = await open()
    const start = world.clock.now
    const done = await world.until(
      host.start(async () => {
        void echo(world, socket, 'x'.repeat(4 * MB))
        socket.write(commandOf('PING'))
        return await new Promise<number>((resolve) =>
          socket.on('data', (bytes: Buffer) => {
            if (bytes.toString('latin1').endsWith('+PONG\r\n')) resolve(world.clock.now)
          }),
        )
      }),
    )
    expect(done - start).toBeGreaterThan(2_000)
  })

  it('is shared by connections, so that a small request overtakes a large one on another connection', async () => {
    const { world, host, open } = setUp()
    const [large, small] = [await open(), await open()]
    void host.start(() => echo(world, large, 'x'.repeat(20 * MB)))
    await world.run(world.clock.now + 1_000)
    const start = world.clock.now
    const at = await world.until(host.start(() => echo(world, small, 'x')))
    expect(at - start).toBeLessThan(20)
  })

  it('gives two large requests half of it each', async () => {
    const { world, host, open } = setUp()
    const sockets = [await open(), await open()]
    const start = world.clock.now
    const replies = sockets.map((socket) => host.start(() => echo(world, socket, 'x'.repeat(4 * MB))))
    const ends = await world.until(Promise.all(replies))
    for (const at of ends) expect(Math.abs(at - start - 4_000)).toBeLessThan(40)
  })

  it('sends nothing more to a server that stands still, once its system has taken what it can', async () => {
    const { world, network, host, open } = setUp()
    const socket = await open()
    network.freeze(ADDRESS, 10_000)
    const start = world.clock.now
    const done = host.start(() => echo(world, socket, 'x'.repeat(8 * MB)))
    await world.run(start + 5_000)
    const waiting = backlogOf(socket)
    await world.run(start + 9_000)
    expect(backlogOf(socket)).toBe(waiting)
    expect(waiting).toBeGreaterThan(5 * MB)
    expect((await world.until(done)) - start).toBeGreaterThan(13_000)
  })

  it('loses what a closed socket has not handed to its system', async () => {
    const { world, server, host, open } = setUp()
    const socket = await open()
    await world.until(
      host.start(() => {
        socket.write(commandOf('ECHO', 'first'))
        socket.write(commandOf('ECHO', 'x'.repeat(4 * MB)))
        socket.destroy()
      }),
    )
    await world.idle()
    expect(server.ran).toEqual(['a: ECHO first'])
    expect(server.closed).toEqual(['a'])
  })

  it('sends nothing while the two ends cannot reach each other', async () => {
    const { world, network, host, open } = setUp()
    const socket = await open()
    const start = world.clock.now
    const done = host.start(() => echo(world, socket, 'x'.repeat(4 * MB)))
    await world.run(start + 500)
    network.partition({}, 'hold', 5_000)
    const at = await world.until(done)
    expect(Math.abs(at - start - 7_000)).toBeLessThan(20)
  })

  it('has a socket that still sends not be idle', async () => {
    const { world, host, open } = setUp()
    const socket = await open()
    let isIdle = false
    await world.until(
      host.start(() => {
        socket.setTimeout(400, () => (isIdle = true))
        return echo(world, socket, 'x'.repeat(4 * MB))
      }),
    )
    expect(isIdle).toBe(false)
  })

  it('has no limit any more when it is calm', async () => {
    const { world, network, host, open } = setUp(Infinity)
    const socket = await open()
    network.limit({ host: 'a' }, MB)
    const start = world.clock.now
    const done = host.start(() => echo(world, socket, 'x'.repeat(4 * MB)))
    await world.run(start + 1_000)
    network.calm()
    expect((await world.until(done)) - start).toBeLessThan(1_010)
  })
})
