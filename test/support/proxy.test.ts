import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from './eventually.js'
import { noLeaks } from './no-leaks.js'
import { startProxy, type TcpProxy } from './proxy.js'
import { single } from './topologies.js'

const [server] = single.nodes
const INCREMENT = "return redis.call('incr', KEYS[1])"

describe('a proxy', () => {
  noLeaks(single, { keys: 'any' })

  let proxy: TcpProxy
  beforeEach(async () => {
    proxy = await startProxy(server)
  })
  afterEach(() => proxy.close())

  it.each([2, 3] as const)('passes on everything, in version %d of the protocol', async (protocol) => {
    const client = connect({ protocol })
    const large = 'x'.repeat(1_000_000)
    const answers = await Promise.all([
      client.set('key', large),
      client.get('key'),
      client.hset('hash', { a: 1, b: 2 }),
      client.hgetall('hash'),
      client.multi().incr('counter').get('counter').exec(),
    ])
    expect(answers).toEqual(['OK', large, 2, { a: '1', b: '2' }, [[null, 1], [null, '1']]]) // prettier-ignore
  })

  it.each([2, 3] as const)('passes on messages, in version %d of the protocol', async (protocol) => {
    const client = connect({ protocol })
    const heard: string[] = []
    client.on('message', (channel, message) => heard.push(`${channel}: ${message}`))
    await client.subscribe('a', 'b')
    await server.command('PUBLISH', 'b', 'hello')
    await eventually(() => heard.length === 1)
    expect(heard).toEqual(['b: hello'])
    expect(proxy.connections.map(({ subscribed }) => subscribed)).toEqual([true])
  })

  it('forgets connections that have ended', async () => {
    const client = connect()
    await client.ping()
    expect(proxy.connections).toHaveLength(1)
    client.disconnect()
    await eventually(() => proxy.connections.length === 0)
  })

  it('cuts every connection with a reset, and accepts new ones', async () => {
    const clients = [connect(), connect()]
    await Promise.all(clients.map((client) => client.ping()))
    const resets = clients.map(nextError)
    proxy.cut()
    expect(await Promise.all(resets)).toMatchObject([{ code: 'ECONNRESET' }, { code: 'ECONNRESET' }])
    expect(await connect().ping()).toBe('PONG')
  })

  it('refuses new connections until it accepts them again, at the same port', async () => {
    const old = connect()
    await old.ping()
    proxy.refuse()
    expect(await nextError(connect())).toMatchObject({ code: 'ECONNREFUSED' })
    expect(await old.ping()).toBe('PONG')
    await proxy.accept()
    expect(await connect().ping()).toBe('PONG')
  })

  it('holds requests back, and delivers them when it is resumed', async () => {
    const client = connect()
    await client.ping()
    proxy.stall('requests')
    const counted = client.incr('counter')
    expect(await Promise.race([counted, sleep(50, 'nothing yet')])).toBe('nothing yet')
    expect(await server.command('EXISTS', 'counter')).toBe(0)
    proxy.resume('requests')
    expect(await counted).toBe(1)
  })

  it('holds replies back while requests pass', async () => {
    const client = connect()
    await client.ping()
    proxy.stall('replies')
    const counted = client.incr('counter')
    await eventually(async () => (await server.command('GET', 'counter')) === '1')
    expect(await Promise.race([counted, sleep(50, 'nothing yet')])).toBe('nothing yet')
    proxy.resume()
    expect(await counted).toBe(1)
  })

  it('accepts connections while it is stalled, like a black hole', async () => {
    proxy.stall()
    const client = connect()
    const answer = client.ping()
    await eventually(() => proxy.connections.length === 1)
    expect(await Promise.race([answer, sleep(50, 'nothing yet')])).toBe('nothing yet')
    proxy.resume()
    expect(await answer).toBe('PONG')
  })

  it('drops what it held back, if that is wanted, and leaves the connection silent', async () => {
    const client = connect()
    await client.ping()
    proxy.stall('requests')
    const lost = ignored(client.incr('counter'))
    await eventually(() => proxy.connections.some(({ holds }) => holds))
    proxy.resume('requests', { held: 'dropped' })
    const alsoLost = ignored(client.incr('counter'))
    expect(await Promise.race([lost, alsoLost, sleep(50, 'nothing yet')])).toBe('nothing yet')
    expect(await connect().incr('counter')).toBe(1)
  })

  it('closes the connection to the server of a client that has gone before the rest was dropped', async () => {
    const subscriber = connect()
    await subscriber.subscribe('channel')
    proxy.stall()
    subscriber.disconnect()
    await eventually(() => proxy.connections.some(({ holds }) => holds))
    proxy.resume('both', { held: 'dropped' })
    await eventually(async () => {
      expect(await server.command('PUBSUB', 'NUMSUB', 'channel')).toEqual(['channel', 0])
    })
  })

  it.each(['requests', 'replies'] as const)('delays %s', async (direction) => {
    const client = connect()
    await client.ping()
    proxy.delay(100, direction)
    const startedAt = performance.now()
    await Promise.all([client.ping(), client.ping()])
    expect(performance.now() - startedAt).toBeGreaterThan(95)
    proxy.delay(0, direction)
    expect(await Promise.race([client.ping(), sleep(10_000, 'too late', { ref: false })])).toBe('PONG')
  })

  it('swallows replies while requests reach the server', async () => {
    const client = connect()
    await client.ping()
    proxy.swallowReplies()
    const lost = ignored(client.incr('counter'))
    await eventually(() => proxy.connections.some(({ silent }) => silent))
    proxy.deliverReplies()
    const alsoLost = ignored(client.incr('counter'))
    await eventually(async () => (await server.command('GET', 'counter')) === '2')
    expect(await Promise.race([lost, alsoLost, sleep(50, 'nothing yet')])).toBe('nothing yet')
    expect(await connect().incr('counter')).toBe(3)
  })

  it('freezes one connection and not the others', async () => {
    const [client, subscriber] = [connect(), connect()]
    const heard: string[] = []
    subscriber.on('message', (_, message) => heard.push(message))
    await Promise.all([client.ping(), subscriber.subscribe('channel')])

    proxy.connections.find(({ subscribed }) => subscribed)?.freeze()
    expect(await client.publish('channel', 'unheard')).toBe(1)
    expect(await Promise.race([ignored(subscriber.ping()), sleep(50, 'nothing yet')])).toBe('nothing yet')
    expect(heard).toEqual([])
  })

  describe('lying in wait', () => {
    it('loses the reply to one request, which the server has done', async () => {
      const client = connect({ autoResendUnfulfilledCommands: true, maxRetriesPerRequest: 0 })
      await client.ping()
      const trap = proxy.loseReplyTo('EVAL')
      const [before, counted] = await Promise.allSettled([
        client.set('before', 'delivered'),
        client.eval(INCREMENT, 1, 'counter'),
      ])
      expect(before).toEqual({ status: 'fulfilled', value: 'OK' })
      expect(counted.status).toBe('rejected')
      expect(await trap.happened).toMatch(/^eval /i)
      expect(await server.command('GET', 'counter')).toBe('1')
    })

    it('cuts before a request reaches the server', async () => {
      const client = connect({ maxRetriesPerRequest: 0 })
      await client.ping()
      proxy.onRequest(/^incr/i, (request) => {
        request.cut()
      })
      await expect(client.incr('counter')).rejects.toThrow()
      expect(await server.command('EXISTS', 'counter')).toBe(0)
    })

    it('holds a request back until something else is done', async () => {
      const client = connect()
      proxy.onRequest(/^get/i, async () => {
        await server.command('SET', 'key', 'written meanwhile')
      })
      expect(await client.get('key')).toBe('written meanwhile')
    })

    it('holds the confirmation of a subscription back until something else is done', async () => {
      const subscriber = connect()
      const heard: string[] = []
      subscriber.on('message', (_, message) => heard.push(message))
      const subscribers: unknown[] = []
      proxy.onReply(/^subscribe/i, async () => {
        subscribers.push(await server.command('PUBLISH', 'channel', 'early'))
        expect(heard).toEqual([])
      })
      await subscriber.subscribe('channel')
      expect(subscribers).toEqual([1])
      await eventually(() => heard.length === 1)
    })

    it('lets nothing follow what it swallows, and leaves the connection up', async () => {
      const client = connect()
      await client.ping()
      const trap = proxy.onReply(/^incr/i, (reply) => {
        reply.swallow()
      })
      const lost = ignored(client.incr('counter'))
      const alsoLost = ignored(client.ping())
      expect(await trap.happened).toMatch(/^incr counter/i)
      expect(await Promise.race([lost, alsoLost, sleep(50, 'nothing yet')])).toBe('nothing yet')
      expect(client.status).toBe('ready')
    })

    it('freezes a connection in both directions', async () => {
      const client = connect()
      await client.ping()
      proxy.onRequest(/^incr/i, (request) => {
        request.freeze()
      })
      const lost = ignored(client.incr('counter'))
      expect(await Promise.race([lost, sleep(50, 'nothing yet')])).toBe('nothing yet')
      expect(await connect().get('counter')).toBeNull()
    })

    it('refuses a request in the place of the server, in its turn', async () => {
      const client = connect()
      proxy.onRequest(/^incr/i, (request) => {
        request.refuse('BUSY planted')
      })
      const before = client.set('key', 'value')
      const refused = client.incr('counter')
      const after = client.get('counter')
      expect(await before).toBe('OK')
      await expect(refused).rejects.toThrow('BUSY planted')
      expect(await after).toBeNull()
      expect(await client.incr('counter')).toBe(1)
    })

    it('refuses no reply', async () => {
      const trap = proxy.onReply('key', (reply) => {
        reply.refuse('BUSY planted')
      })
      const failure = expect(trap.happened).rejects.toThrow('A reply cannot be refused')
      expect(await connect().get('key')).toBeNull()
      await failure
    })

    it('tells what is replied', async () => {
      const replies: (string | undefined)[] = []
      proxy.onReply('key', ({ reply }) => void replies.push(reply))
      await connect().set('key', 'value')
      expect(replies).toEqual(['+OK\r\n'])
    })

    it('acts once, a given number of times, or not any more', async () => {
      const seen: string[] = []
      const note = (name: string) => () => void seen.push(name)
      proxy.onRequest('key', note('once'))
      proxy.onRequest('key', note('twice'), { times: 2 })
      proxy.onRequest('key', note('never'))[Symbol.dispose]()
      const client = connect()
      for (let count = 0; count < 3; count += 1) await client.get('key')
      expect(seen).toEqual(['once', 'twice', 'twice'])
    })

    it('says so when acting fails, and lets the request pass', async () => {
      const trap = proxy.onRequest('key', () => Promise.reject(new Error('planted')))
      const failure = expect(trap.happened).rejects.toThrow('planted')
      expect(await connect().get('key')).toBeNull()
      await failure
    })
  })

  it('heals from everything at once', async () => {
    const trap = proxy.onRequest('PING')
    proxy.stall()
    proxy.delay(10_000)
    proxy.swallowReplies()
    proxy.refuse()
    await proxy.heal()
    expect(await connect().ping()).toBe('PONG')
    expect(await Promise.race([trap.happened, sleep(20, 'forgotten')])).toBe('forgotten')
  })

  it('breaks off with the server', async () => {
    const client = connect()
    const id = Number(await client.call('CLIENT', 'ID'))
    const broken = new Promise((resolve) => client.once('close', () => resolve('closed')))
    await server.command('CLIENT', 'KILL', 'ID', id)
    expect(await broken).toBe('closed')
    await eventually(() => proxy.connections.length === 0)
  })

  it('ends with everything that goes through it', async () => {
    const client = connect()
    await client.ping()
    const reset = nextError(client)
    proxy.stall()
    await proxy.close()
    expect(await reset).toMatchObject({ code: 'ECONNRESET' })
    expect(proxy.connections).toEqual([])
  })

  function connect(options: Omit<RedisOptions, 'replyMapping'> = {}): Redis {
    const { host, port } = proxy
    const client = new Redis({ host, port, retryStrategy: () => null, disableClientInfo: true, ...options })
    client.on('error', () => undefined)
    onTestFinished(() => {
      client.disconnect()
    })
    return client
  }
})

it('a proxy before a server that is not there breaks every connection', async () => {
  const gone = await startProxy(server)
  await gone.close()
  await using proxy = await startProxy(gone)
  const { host, port } = proxy
  expect(await nextError(new Redis({ host, port, retryStrategy: () => null }))).toMatchObject({
    code: 'ECONNRESET',
  })
})

function nextError(client: Redis): Promise<unknown> {
  return new Promise((resolve) => client.once('error', resolve))
}

/** A command that is meant to get no answer; it may fail when the test has ended. */
function ignored(command: Promise<unknown>): Promise<unknown> {
  return command.catch(() => 'failed')
}
