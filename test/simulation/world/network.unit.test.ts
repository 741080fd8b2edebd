import { AsyncLocalStorage } from 'node:async_hooks'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { atReply, atRequest } from './directed.js'
import { disturb } from './disturbances.js'
import { commandOf, ToyServer } from './fixtures/toy-server.js'
import type { Host } from './host.js'
import { install } from './install.js'
import type { NetworkOptions } from './network/faults.js'
import type { PartitionMode } from './network/link.js'
import type { Fate } from './network/message.js'
import { createWorld, type World } from './world.js'

const ADDRESS = '10.0.0.1:6379'

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

/** A world with one server and one process. */
function setUp(network: NetworkOptions = { latencyMs: [1, 2], split: 0 }) {
  const opened = createWorld(1, { network })
  world = opened
  const server = new ToyServer()
  opened.listen(ADDRESS, server, {})
  return {
    world: opened,
    network: opened.network,
    clock: opened.clock,
    server,
    host: opened.host('a', { uptimeMs: 0 }),
  }
}

/** A socket, and what has happened to it. */
interface Client {
  readonly socket: Socket
  /** Events of the socket, with what it has received between them. */
  readonly seen: string[]
}

function open(address = ADDRESS): Client {
  const [host = '', port = ''] = address.split(':')
  const socket = createConnection({ host, port: Number(port) })
  const seen: string[] = []
  socket.on('connect', () => seen.push('connect'))
  socket.on('data', (bytes) => seen.push(bytes.toString('latin1').replaceAll('\r\n', ' ').trimEnd()))
  socket.on('end', () => seen.push('end'))
  socket.on('timeout', () => seen.push('timeout'))
  socket.on('error', (error) => seen.push(error.message))
  socket.on('close', (hadError) => seen.push(`close ${hadError}`))
  return { socket, seen }
}

/** Opens a socket in a process, sends commands at once, and returns what is seen until the world is idle. */
async function talk(
  from: { readonly world: World; readonly host: Host },
  ...commands: readonly string[]
): Promise<string[]> {
  const { seen } = await from.world.until(
    from.host.start(() => {
      const client = open()
      client.socket.write(commands.map((command) => commandOf(...command.split(' '))).join(''))
      return client
    }),
  )
  await from.world.idle()
  return seen
}

describe('a connection', () => {
  it('takes a latency for each way, and keeps the order', async () => {
    const { world, clock, server, host } = setUp()
    const times: Record<string, number> = {}
    const { seen } = await world.until(
      host.start(() => {
        const client = open()
        expect(client.socket.connecting).toBe(true)
        client.socket.once('connect', () => (times['connect'] = clock.now))
        client.socket.write(commandOf('ECHO', '1'))
        client.socket.write(Buffer.from(commandOf('ECHO', '2')))
        client.socket.once('data', () => (times['data'] = clock.now))
        return client
      }),
    )
    await world.idle()
    expect(seen).toEqual(['connect', '$1 1 $1 2'])
    expect(server.ran).toEqual(['a: ECHO 1', 'a: ECHO 2'])
    expect(times['connect']).toBeGreaterThanOrEqual(2)
    expect(times['connect']).toBeLessThan(4)
    expect(times['data']).toBeGreaterThanOrEqual(Number(times['connect']) + 2)
    expect(times['data']).toBeLessThan(Number(times['connect']) + 4)
  })

  it('keeps the order of messages whose latencies differ', async () => {
    const { world, server, host } = setUp({ latencyMs: [0, 100], split: 1, spike: 0.2 })
    const commands = Array.from({ length: 100 }, (_, index) => `ECHO ${index}`)
    const seen = await talk({ world, host }, ...commands)
    expect(server.ran).toEqual(commands.map((command) => `a: ${command}`))
    expect(
      seen
        .slice(1)
        .join(' ')
        .split(' ')
        .filter((_, index) => index % 2 === 1),
    ).toEqual(commands.map((command) => command.slice(5)))
    expect(seen.length).toBeGreaterThan(5)
  })

  it('carries every byte', async () => {
    const { world, host } = setUp()
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
    const received = await world.until(
      host.start(async () => {
        const { socket } = open()
        socket.write(Buffer.concat([Buffer.from('*2\r\n$4\r\nECHO\r\n$256\r\n'), bytes, Buffer.from('\r\n')]))
        const { promise, resolve } = Promise.withResolvers<Buffer>()
        socket.once('data', resolve)
        return await promise
      }),
    )
    expect(received.subarray(6, 262)).toEqual(bytes)
  })

  it('takes texts as they are encoded, and sends a command once it is whole', async () => {
    const { world, server, host } = setUp()
    await world.until(
      host.start(async () => {
        const { socket } = open()
        socket.write('*2\r\n$4\r\nECHO\r\n$2\r\n')
        await sleep(50)
        expect(server.ran).toEqual([])
        socket.write('é\r\n')
      }),
    )
    await world.idle()
    expect(server.ran).toEqual(['a: ECHO Ã©'])
  })

  it('has the state of a socket', async () => {
    const { world, server, host } = setUp()
    const states = await world.until(
      host.start(async () => {
        const { socket } = open()
        const state = () => {
          const { readyState, connecting, remoteAddress, remotePort, bytesRead, bytesWritten } = socket
          return { readyState, connecting, remoteAddress, remotePort, bytesRead, bytesWritten }
        }
        const states = [state()]
        socket.setNoDelay(true).setKeepAlive(true, 5).unref().ref()
        socket.write(commandOf('PING'))
        await sleep(20)
        states.push(state())
        socket.destroy()
        states.push(state())
        return states
      }),
    )
    const remote = { remoteAddress: '10.0.0.1', remotePort: 6379 }
    expect(states).toEqual([
      { readyState: 'opening', connecting: true, bytesRead: 0, bytesWritten: 0 },
      { readyState: 'open', connecting: false, ...remote, bytesRead: 7, bytesWritten: 14 },
      { readyState: 'closed', connecting: false, ...remote, bytesRead: 7, bytesWritten: 14 },
    ])
    expect(server.peers.map(({ address, host }) => [address, host])).toEqual([['10.1.0.0:40001', 'a']])
  })

  it('calls back in the asynchronous context in which it was made', async () => {
    const { world, host } = setUp()
    const storage = new AsyncLocalStorage<string>()
    const seen: string[] = []
    await world.until(
      host.start(async () => {
        const { socket } = storage.run('the flow', open)
        for (const event of ['connect', 'data', 'close'])
          socket.on(event, () => seen.push(`${event} in ${storage.getStore()}`))
        storage.run('another', () => socket.write(commandOf('PING')))
        await sleep(20)
        socket.destroy()
      }),
    )
    await world.idle()
    expect(seen).toEqual(['connect in the flow', 'data in the flow', 'close in the flow'])
  })

  it('is closed by the client after what it has sent', async () => {
    const { world, server, host } = setUp()
    const { seen } = await world.until(
      host.start(() => {
        const client = open()
        client.socket.end(commandOf('PING'))
        return client
      }),
    )
    await world.idle()
    expect(seen).toEqual(['connect', '+PONG', 'end', 'close false'])
    expect([server.ran, server.closed]).toEqual([['a: PING'], ['a']])
  })

  it('is destroyed by the client: what it has sent arrives, and nothing comes back', async () => {
    const { world, server, host } = setUp()
    const { seen } = await world.until(
      host.start(async () => {
        const client = open()
        await sleep(20)
        client.socket.write(commandOf('PING'))
        client.socket.destroy(new Error('enough'))
        return client
      }),
    )
    await world.idle()
    expect(seen).toEqual(['connect', 'enough', 'close true'])
    expect([server.ran, server.closed]).toEqual([['a: PING'], ['a']])
  })

  it('is destroyed while it is being opened', async () => {
    const { world, server, host } = setUp()
    const { seen } = await world.until(
      host.start(() => {
        const client = open()
        client.socket.destroy()
        return client
      }),
    )
    await world.idle()
    expect([seen, server.peers]).toEqual([['close false'], []])
  })

  it('is closed by the server after what it has written', async () => {
    const { world, server, host } = setUp()
    const seen = await talk({ world, host }, 'PING')
    server.peers[0]?.write('+BYE\r\n')
    server.peers[0]?.close()
    server.peers[0]?.write('+never\r\n')
    await world.idle()
    expect(seen).toEqual(['connect', '+PONG', '+BYE', 'end', 'close false'])
    expect(server.closed).toEqual([])
  })

  it('is closed by the server while a command is under way, which does not run', async () => {
    const { world, server, host } = setUp()
    const { socket } = await world.until(host.start(() => open()))
    await world.idle()
    await world.until(host.start(() => void socket.write(commandOf('PING'))))
    server.peers[0]?.close()
    await world.idle()
    expect(server.ran).toEqual([])
  })

  it('is closed by the client as soon as it is open', async () => {
    const { world, server, host } = setUp()
    const { seen } = await world.until(
      host.start(() => {
        const client = open()
        client.socket.end()
        return client
      }),
    )
    await world.idle()
    expect([seen, server.closed]).toEqual([['connect', 'end', 'close false'], ['a']])
  })

  it('does not count as idle while something is received', async () => {
    const { world, clock, server, host } = setUp()
    const times: number[] = []
    await world.until(
      host.start(async () => {
        const { socket } = open()
        socket.resume().setTimeout(50, () => times.push(clock.now))
        await sleep(40)
        server.peers[0]?.write('+unasked\r\n')
      }),
    )
    await world.run(1_000)
    expect(times[0]).toBeGreaterThan(90)
  })

  it('emits that nothing has happened for a time, by the clock of its process', async () => {
    const { world, host } = setUp()
    const { seen } = await world.until(
      host.start(async () => {
        const client = open()
        const called: string[] = []
        client.socket.setTimeout(50, () => called.push('back'))
        await sleep(40)
        client.socket.write(commandOf('PING'))
        await sleep(40)
        expect(client.seen).toEqual(['connect', '+PONG'])
        await sleep(20)
        expect(called).toEqual(['back'])
        client.socket.setTimeout(0)
        return client
      }),
    )
    await world.run(1_000)
    expect(seen).toEqual(['connect', '+PONG', 'timeout'])
  })
})

describe('an attempt to connect', () => {
  it('is refused where nothing listens', async () => {
    const { world, host } = setUp()
    const { socket, seen } = await world.until(host.start(() => open('10.0.0.9:1')))
    const errors: unknown[] = []
    socket.on('error', (error) => errors.push(error))
    await world.idle()
    expect(seen).toEqual(['connect ECONNREFUSED 10.0.0.9:1', 'close true'])
    const facts = { code: 'ECONNREFUSED', syscall: 'connect', address: '10.0.0.9', port: 1 }
    expect(errors).toEqual([expect.objectContaining(facts)])
  })

  it.each([
    ['refuse', ['connect ECONNREFUSED 10.0.0.1:6379', 'close true']],
    ['hang', ['connect ETIMEDOUT 10.0.0.1:6379', 'close true']],
    ['accept', ['connect', '+PONG']],
  ] as const)('meets what is decided: %s', async (fate, expected) => {
    const { world, network, host } = setUp({ refuse: 0.5, hang: 0.5 })
    network.intercept({ connecting: () => fate })
    expect(await talk({ world, host }, 'PING')).toEqual(expected)
  })

  it('is refused, or is never replied to, by chance', async () => {
    const { world, host } = setUp({ refuse: 0.3, hang: 0.3 })
    const clients = await world.until(host.start(() => Array.from({ length: 50 }, () => open())))
    await world.idle()
    const first = new Set(clients.map(({ seen }) => seen[0]?.slice(0, 14)))
    expect(first).toEqual(new Set(['connect', 'connect ECONNR', 'connect ETIMED']))
  })

  it.each(['lose', 'hold'] as const)('succeeds once the partition is over: %s', async (mode) => {
    const { world, network, host } = setUp()
    network.partition({ host: 'a', address: ADDRESS }, mode, 2_500)
    expect(await talk({ world, host }, 'PING')).toEqual(['connect', '+PONG'])
    expect(world.clock.now).toBeGreaterThan(3_000)
  })
})

describe('a message', () => {
  const commands = ['ECHO 1', 'ECHO 2', 'ECHO 3']
  const ending = /^(end|read ECONNRESET)$/

  it.each<[Fate, { ran: number; seen: string[] }]>([
    ['cut-before', { ran: 1, seen: ['$1 1'] }],
    ['cut-within', { ran: 1, seen: ['$1 1'] }],
    ['cut-after', { ran: 2, seen: ['$1 1'] }],
  ])('may break the connection on its way to the server: %s', async (fate, { ran, seen }) => {
    const { world, network, server, host } = setUp()
    network.intercept(atRequest({ host: 'a', name: 'ECHO', nth: 2 }, fate))
    const [connect, ...received] = await talk({ world, host }, ...commands)
    expect(connect).toBe('connect')
    expect(received.slice(0, -2)).toEqual(seen)
    expect(received.at(-2)).toMatch(ending)
    expect(server.ran).toHaveLength(ran)
    expect(server.closed).toEqual(['a'])
  })

  it.each<[Fate, { seen: string[] }]>([
    ['cut-before', { seen: ['$1 1'] }],
    ['cut-within', { seen: ['$1 1 $1'] }],
    ['cut-after', { seen: ['$1 1 $1 2'] }],
  ])('may break the connection on its way back: %s', async (fate, { seen }) => {
    const { world, network, server, host } = setUp()
    network.intercept(atReply({ name: 'ECHO', nth: 2 }, fate))
    const received = await talk({ world, host }, ...commands)
    expect(received.slice(1, -2)).toEqual(seen)
    expect(received.at(-2)).toMatch(ending)
    expect([server.ran.length, server.closed]).toEqual([2, ['a']])
  })

  it('may be lost silently, so that both sides notice it only much later', async () => {
    const { world, network, server, host } = setUp()
    network.intercept(atRequest({ nth: 2 }, 'lose'))
    const seen = await talk({ world, host }, ...commands)
    expect([seen, server.ran]).toEqual([['connect', '$1 1'], ['a: ECHO 1']])
    expect(server.closed).toEqual([])
    await world.run(1_000_000)
    expect([seen.slice(2), server.closed]).toEqual([['end', 'close false'], ['a']])
  })

  it('may be lost silently on its way back', async () => {
    const { world, network, server, host } = setUp()
    network.intercept(atReply({ nth: 2 }, 'lose'))
    expect(await talk({ world, host }, ...commands)).toEqual(['connect', '$1 1'])
    expect(server.ran).toHaveLength(3)
  })

  it('is seen once even if it is late', async () => {
    const { world, network, host } = setUp()
    const seen: string[] = []
    network.intercept({
      request: ({ words }) => {
        seen.push(words.join(' '))
        return { delayMs: 10 }
      },
    })
    await talk({ world, host }, ...commands)
    expect(seen).toEqual(commands)
  })

  it.each(['request', 'reply'] as const)('may be late, and so is what follows it: %s', async (kind) => {
    const { world, network, clock, server, host } = setUp()
    const at = kind === 'request' ? atRequest : atReply
    network.intercept(at({ nth: 2 }, { delayMs: 500 }))
    expect(await talk({ world, host }, ...commands)).toEqual(['connect', '$1 1', '$1 2 $1 3'])
    expect(server.ran).toHaveLength(3)
    expect(clock.now).toBeGreaterThan(500)
  })

  it('is seen by every interceptor, and the first that decides is followed', async () => {
    const { world, network, server, host } = setUp({ requestCut: 1 })
    const seen: string[] = []
    network.intercept({
      request: ({ name, route }) => void seen.push(`${route.host}#${route.connection} ${name}`),
      handled: ({ words }) => void seen.push(`handled ${words.join(' ')}`),
      reply: ({ name, bytes, command }) => void seen.push(`${name} ${bytes.trim()} ${command?.words[1]}`),
    })
    network.intercept({ request: () => 'deliver' })
    const stop = network.intercept({ request: () => 'cut-before' })
    await talk({ world, host }, 'PING 1')
    stop()
    server.peers[0]?.write('+unasked\r\n')
    expect(seen).toEqual(['a#1 PING', 'PING +PONG 1', 'handled PING 1', ' +unasked undefined'])
  })

  it('may have a scenario do anything', async () => {
    const { world, network, server, host } = setUp()
    network.intercept(atRequest({ name: 'ECHO', nth: 2 }, () => host.stop()))
    expect(await talk({ world, host }, ...commands)).toEqual(['connect'])
    expect([server.ran.length, server.closed]).toEqual([3, ['a']])
  })

  it('may break the connection by chance, between any two of a write', async () => {
    const { world, server, host } = setUp({ requestCut: 0.2, replyCut: 0.1 })
    const counts = new Set<number>()
    for (let turn = 0; turn < 100; turn += 1) {
      const before = server.ran.length
      await talk({ world, host }, ...Array.from({ length: 5 }, () => 'PING'))
      counts.add(server.ran.length - before)
    }
    expect([...counts].sort()).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('stops the world where an oracle throws', async () => {
    const { world, network, host } = setUp()
    network.intercept({
      handled: () => {
        throw new Error('the oracle')
      },
    })
    await expect(talk({ world, host }, 'PING')).rejects.toThrow('the oracle')
  })
})

describe('a partition', () => {
  /** Sends a command before, during and after a partition of a second. */
  async function talkThrough(mode: 'lose' | 'hold' | 'refuse') {
    const { world, network, server, host } = setUp()
    const { socket, seen } = await world.until(host.start(() => open()))
    const echo = (word: string) => world.until(host.start(() => void socket.write(commandOf('ECHO', word))))
    await echo('1')
    await world.run(100)
    network.partition({ host: 'a', address: ADDRESS }, mode, 1_000)
    await echo('2')
    await world.run(900)
    const during = [...server.ran]
    await world.run(1_200)
    await echo('3')
    await world.run(2_000)
    return { seen, server, during }
  }

  it('loses bytes, and the connection that has lost some never works again', async () => {
    const { seen, server } = await talkThrough('lose')
    expect([seen, server.ran]).toEqual([['connect', '$1 1'], ['a: ECHO 1']])
  })

  it('holds bytes, which arrive when it is over', async () => {
    const { seen, server, during } = await talkThrough('hold')
    expect(during).toEqual(['a: ECHO 1'])
    expect(server.ran).toEqual(['a: ECHO 1', 'a: ECHO 2', 'a: ECHO 3'])
    expect(seen).toEqual(['connect', '$1 1', '$1 2', '$1 3'])
  })

  it('breaks connections, and refuses new ones', async () => {
    const { seen, server } = await talkThrough('refuse')
    expect(server.ran).toEqual(['a: ECHO 1'])
    expect(seen.slice(0, 2)).toEqual(['connect', '$1 1'])
    expect(seen.at(-1)).toMatch(/^close/)
    const { world, network, host } = setUpAgain()
    network.partition({ host: 'a', address: ADDRESS }, 'refuse')
    expect(await talk({ world, host }, 'PING')).toEqual(['connect ECONNREFUSED 10.0.0.1:6379', 'close true'])
    network.heal({})
    expect(await talk({ world, host }, 'PING')).toEqual(['connect', '+PONG'])
  })

  it('does no harm where nothing was sent', async () => {
    const { world, network, host } = setUp()
    const { socket, seen } = await world.until(host.start(() => open()))
    await world.idle()
    network.partition({ host: 'a', address: ADDRESS }, 'lose', 1_000)
    await world.idle()
    await world.until(host.start(() => void socket.write(commandOf('PING'))))
    await world.idle()
    expect(seen).toEqual(['connect', '+PONG'])
  })

  it('loses what is under way', async () => {
    const { world, network, server, host } = setUp()
    network.intercept(
      atReply({ nth: 2 }, () => network.partition({ host: 'a', address: ADDRESS }, 'lose', 5)),
    )
    expect(await talk({ world, host }, 'PING', 'PING', 'PING')).toEqual(['connect'])
    expect(server.ran.length).toBeGreaterThan(1)
  })

  /** Sends a command, and gives up at once, in a partition of a second that has just begun. */
  async function giveUp(options: NetworkOptions, mode: PartitionMode = 'hold') {
    const { world, network, server, host } = setUp({ latencyMs: [1, 2], split: 0, ...options })
    const { socket } = await world.until(host.start(() => open()))
    await world.idle()
    network.partition({ host: 'a' }, mode, 1_000)
    await world.until(
      host.start(() => {
        socket.write(commandOf('ECHO', 'late'))
        socket.destroy()
      }),
    )
    await world.run(900)
    return { world, server }
  }

  it.each([Infinity, 1_100])(
    'delivers late what a client has sent that has given up: %d',
    async (lingerMs) => {
      const { world, server } = await giveUp({ lingerMs })
      expect([server.ran, server.closed]).toEqual([[], []])
      await world.run(2_000)
      expect([server.ran, server.closed]).toEqual([['a: ECHO late'], ['a']])
    },
  )

  it('loses what a client has sent that gave up too long ago', async () => {
    const { world, server } = await giveUp({ lingerMs: 800 })
    expect([server.ran, server.closed]).toEqual([[], ['a']])
    await world.run(2_000)
    expect([server.ran, server.closed]).toEqual([[], ['a']])
  })

  it.each([
    { lingerMs: 800, closed: ['a'] },
    { lingerMs: Infinity, closed: [] },
  ])(
    'tells the server of a client that is gone, although bytes were lost: %o',
    async ({ lingerMs, closed }) => {
      const { world, server } = await giveUp({ lingerMs }, 'lose')
      await world.run(2_000)
      expect([server.ran, server.closed]).toEqual([[], closed])
    },
  )

  function setUpAgain() {
    world?.close()
    return setUp()
  }
})

describe('a server', () => {
  it('that is away resets its connections and refuses new ones, until it is back', async () => {
    const { world, network, server, host } = setUp()
    const { seen } = await world.until(host.start(() => open()))
    await world.idle()
    network.away(ADDRESS, 1_000)
    await world.run(world.clock.now + 100)
    expect(seen).toEqual(['connect', 'read ECONNRESET', 'close true'])
    expect(server.closed).toEqual(['a'])
    const second = await world.until(host.start(() => open()))
    await world.idle()
    expect(second.seen).toEqual(['connect ECONNREFUSED 10.0.0.1:6379', 'close true'])
    expect(world.clock.now).toBeGreaterThanOrEqual(1_000)
    expect(await talk({ world, host }, 'PING')).toEqual(['connect', '+PONG'])
  })

  it('that stands still accepts connections, and replies when it goes on', async () => {
    const { world, network, clock, server, host } = setUp()
    network.freeze(ADDRESS, 1_000)
    const seen = talk({ world, host }, 'PING')
    const times: number[] = []
    network.intercept({ request: () => void times.push(clock.now) })
    expect(await seen).toEqual(['connect', '+PONG'])
    expect([server.ran, times]).toEqual([['a: PING'], [1_000]])
  })

  it('has a clock of its own', async () => {
    const { world, host } = setUp()
    let seen = 0
    const accept = () => void (seen = Date.now() - world.clock.now)
    world.listen('10.0.0.2:6379', { accept }, { skewMs: 5_000 })
    await world.until(host.start(() => open('10.0.0.2:6379')))
    await world.idle()
    expect(seen - Date.UTC(2030, 0, 1)).toBeLessThanOrEqual(5_000)
    expect(seen - Date.UTC(2030, 0, 1)).toBeGreaterThan(4_998)
  })

  it('is alone at its address', () => {
    const { world, network, server } = setUp()
    expect(() => world.listen(ADDRESS, server)).toThrow('listens at 10.0.0.1:6379 already')
    expect(() => network.away('10.0.0.9:1')).toThrow('Nothing listens at 10.0.0.9:1')
  })

  it('says how the trace names commands', async () => {
    const { world, host } = setUp()
    const accept = new ToyServer().accept.bind(new ToyServer())
    world.listen('10.0.0.2:6379', { accept, describe: (words) => `the command ${words[0]}` })
    await world.until(host.start(() => void open('10.0.0.2:6379').socket.write(commandOf('PING'))))
    await world.idle()
    expect(world.trace.lines.find((line) => line.includes('request'))).toMatch(/request {2}the command PING$/)
  })
})

describe('a link', () => {
  it('may be slow for a while', async () => {
    const { world, network, clock, host } = setUp()
    await talk({ world, host }, 'PING')
    network.slow({ host: 'a' }, 100, 10_000)
    const startedAt = clock.now
    const repliedAt: number[] = []
    network.intercept({ reply: () => void repliedAt.push(clock.now - startedAt) })
    await talk({ world, host }, 'PING')
    await talk({ world, host }, 'PING')
    expect(repliedAt[0]).toBeGreaterThan(300)
    expect(Number(repliedAt[1]) - 10_000).toBeLessThan(10)
  })

  it('may have its connections cut', async () => {
    const { world, network, server, host } = setUp()
    const seen = await talk({ world, host }, 'PING')
    network.cut({ host: 'b' })
    await world.idle()
    expect(seen).toHaveLength(2)
    network.cut({ host: 'a' })
    await world.idle()
    expect(seen.at(-1)).toMatch(/^close/)
    expect(server.closed).toEqual(['a'])
  })
})

describe('a process', () => {
  it('that is stopped is seen to close its connections after a while', async () => {
    const { world, server, host } = setUp()
    const { socket, seen } = await world.until(host.start(() => open()))
    await world.idle()
    await world.until(host.start(() => void socket.write(commandOf('PING'))))
    host.stop()
    expect(server.closed).toEqual([])
    await world.idle()
    expect([server.ran, server.closed]).toEqual([['a: PING'], ['a']])
    expect(seen).toEqual(['connect'])
  })

  it('that stands still receives what has arrived after its timers', async () => {
    const { world, host } = setUp()
    const { seen } = await world.until(
      host.start(() => {
        const client = open()
        client.socket.write(commandOf('PING'))
        client.socket.once('connect', () => {
          host.pause(1_000)
          setTimeout(() => client.seen.push('timer'), 500)
          setImmediate(() => client.seen.push('immediate'))
        })
        return client
      }),
    )
    await world.idle()
    expect(seen).toEqual(['connect', 'timer', '+PONG', 'immediate'])
  })
})

describe('disturbances', () => {
  it('happen at times that the seed decides, until they are stopped and the network is calm', async () => {
    const { world, network, host } = setUp({ requestCut: 0.1 })
    await world.until(host.start(() => open()))
    const often = { everyMs: 1_000, lastsMs: [10, 500] } as const
    const stop = disturb(world, {
      partition: often,
      away: often,
      freeze: often,
      slow: often,
      pause: often,
      cut: often,
    })
    await world.run(20_000)
    const kinds = new Set(world.trace.entries.map(({ kind }) => kind.replace(/ .*/, '')))
    for (const kind of ['partition', 'healed', 'away', 'back', 'frozen', 'slow', 'pause', 'cut'])
      expect(kinds).toContain(kind)
    stop()
    network.calm()
    await world.idle()
    const { count } = world.trace
    await world.run(40_000)
    expect(world.trace.count).toBe(count)
    expect(await talk({ world, host }, 'PING', 'PING')).toEqual(['connect', '+PONG +PONG'])
  })

  it('are over when the network is calm', async () => {
    const { world, network, host } = setUp({ requestCut: 1, hang: 1 })
    network.partition({ host: 'a', address: ADDRESS }, 'refuse')
    network.slow({}, 1_000)
    network.away(ADDRESS)
    network.calm()
    expect(await talk({ world, host }, 'PING')).toEqual(['connect', '+PONG'])
    expect(world.clock.now).toBeLessThan(10)
  })

  it('wait while there is no process', async () => {
    const { world, host } = setUp()
    host.stop()
    disturb(world, { pause: { everyMs: 100, lastsMs: [1, 2] } })
    await world.run(10_000)
    expect(world.trace.lines.filter((line) => line.includes('pause'))).toEqual([])
  })
})
