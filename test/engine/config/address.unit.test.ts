import { describe, expect, it } from 'vitest'
import { parseAddress, parseHostAndPort, splitDatabase } from '../../../src/config/address.js'
import { ConfigError } from '../../../src/errors/client-errors.js'

const noCredentials = { username: undefined, password: undefined }

describe('an address', () => {
  it('names host and port', () => {
    expect(parseAddress('redis://example.org:6379', 'address')).toEqual({
      host: 'example.org',
      port: 6379,
      tls: false,
      path: undefined,
      credentials: noCredentials,
    })
  })

  it.each([
    ['redis://host:6379', false],
    ['valkey://host:6379', false],
    ['rediss://host:6379', true],
    ['valkeys://host:6379', true],
  ])('says by its scheme whether TLS is spoken: %s', (text, tls) => {
    expect(parseAddress(text, 'address').tls).toBe(tls)
  })

  it('takes an IPv6 address out of its brackets', () => {
    expect(parseAddress('redis://[2001:db8::1]:6379', 'address')).toMatchObject({
      host: '2001:db8::1',
      port: 6379,
    })
  })

  it.each([
    ['redis://host', { host: 'host', port: 6379, tls: false }],
    ['rediss://user:word@host', { host: 'host', port: 6379, tls: true }],
    ['redis://host/', { host: 'host', port: 6379 }],
    ['redis://[::1]', { host: '::1', port: 6379 }],
    ['host', { host: 'host', port: 6379, tls: false, credentials: noCredentials }],
    ['host:7000', { host: 'host', port: 7000, tls: false, credentials: noCredentials }],
    ['[::1]', { host: '::1', port: 6379 }],
  ])('has the port of Redis, and no TLS, unless it says so: %s', (text, expected) => {
    expect(parseAddress(text, 'address')).toMatchObject(expected)
  })

  it('has another usual port where it is asked for', () => {
    expect(parseAddress('redis://host', 'address', 26_379).port).toBe(26_379)
    expect(parseAddress('host', 'address', 26_379).port).toBe(26_379)
    expect(parseAddress('redis://host:1', 'address', 26_379).port).toBe(1)
  })

  it('forgives a slash at the end', () => {
    expect(parseAddress('redis://host:6379/', 'address')).toMatchObject({ host: 'host', port: 6379 })
  })

  it.each(['redis+uds', 'valkey+uds'])('names the path of a socket after %s', (scheme) => {
    expect(parseAddress(`${scheme}:///run/redis@1.sock`, 'address')).toEqual({
      host: '',
      port: 0,
      tls: false,
      path: '/run/redis@1.sock',
      credentials: noCredentials,
    })
  })

  it.each([
    ['redis://user:word@host:1', { username: 'user', password: 'word' }],
    ['redis://:word@host:1', { username: undefined, password: 'word' }],
    ['redis://user:@host:1', { username: 'user', password: undefined }],
    ['redis://word@host:1', { username: undefined, password: 'word' }],
    ['redis://us%40er:w%3Ao%2Frd@host:1', { username: 'us@er', password: 'w:o/rd' }],
    ['redis://user:w@o:r/d#?@host:1', { username: 'user', password: 'w@o:r/d#?' }],
    ['redis://:word@[::1]:1', { username: undefined, password: 'word' }],
    ['redis+uds://user:word@/run/redis.sock', { username: 'user', password: 'word' }],
  ])('says who to be: %s', (text, credentials) => {
    expect(parseAddress(text, 'address').credentials).toEqual(credentials)
  })

  it.each(['redis://user:word@host:1?family=0', 'redis://user:word@host:1/?family=0'])(
    'may ask for addresses of both families, which are tried anyway: %s',
    (text) => {
      expect(parseAddress(text, 'address')).toEqual(parseAddress('redis://user:word@host:1', 'address'))
    },
  )

  it('has its database before the family', () => {
    expect(splitDatabase('redis://:a?family=0@host:1/2?family=0')).toEqual({
      address: 'redis://:a?family=0@host:1',
      database: 2,
    })
  })

  it('is frozen, with all that is in it', () => {
    const address = parseAddress('redis://user:word@host:1', 'address')
    expect([Object.isFrozen(address), Object.isFrozen(address.credentials)]).toEqual([true, true])
  })

  it.each([
    ['', 'begins with redis://'],
    ['/host', 'begins with redis://'],
    ['user@host', 'begins with redis://'],
    ['http://host:6379', 'begins with redis://'],
    ['constructor://host:6379', 'begins with redis://'],
    ['redis://', 'with a host'],
    ['redis://:6379', 'with a host'],
    ['redis://host:', 'with a host'],
    ['redis://host:0', 'with a host'],
    ['redis://host:65536', 'with a host'],
    ['redis://host:port', 'with a host'],
    ['redis://ho st:6379', 'with a host'],
    ['redis://2001:db8::1:6379', 'with a host'],
    ['redis://[host]:6379', 'with a host'],
    ['redis://[::1]6379', 'with a host'],
    ['redis://host:6379?db=1', 'without a query'],
    ['redis://host:6379/?family=6', 'without a query'],
    ['redis://host:6379/1?db=1', 'without a query'],
    ['redis://host:6379/1', 'database has a setting of its own'],
    ['redis://%zz@host:6379', 'percent-encoded'],
    ['redis+uds://', 'full path of a socket'],
    ['redis+uds://run/redis.sock', 'full path of a socket'],
  ])('is refused when it is %j', (text, expected) => {
    expect(() => parseAddress(text, 'cluster.nodeAddresses[1]')).toThrow(ConfigError)
    expect(() => parseAddress(text, 'cluster.nodeAddresses[1]')).toThrow(expected)
    expect(() => parseAddress(text, 'cluster.nodeAddresses[1]')).toThrow('`cluster.nodeAddresses[1]`')
  })

  it('is shown when it is refused', () => {
    expect(() => parseAddress('redis://host:99999', 'address')).toThrow('got "redis://host:99999"')
  })

  it.each([
    'redis://user:hunter2@host:',
    'redis://:hunter2@host:port',
    'hunter2@host',
    'redis:/user:hunter2@host:6379',
    'user:hunter2@host:6379',
    'http://user:hunter2@host:6379',
    'redis://user:hunter2%zz@host:6379',
    'redis://user:hunter2',
    'redis://user:a@hunter2@host/1',
    'redis://host:6379?password=hunter2',
    'redis://host:6379/hunter2',
    'redis+uds://user:hunter2@run/redis.sock',
    'hunter2 ',
  ])('never shows its password when it is refused: %s', (text) => {
    expect(() => parseAddress(text, 'address')).toThrow(/^(?!.*hunter2).*$/s)
  })
})

describe('with a host', () => {
  it.each([
    ['10.0.0.1:6379', { host: '10.0.0.1', port: 6379 }],
    ['[::1]:6379', { host: '::1', port: 6379 }],
    ['redis_1.internal:1', { host: 'redis_1.internal', port: 1 }],
  ])('are read from %s', (text, expected) => {
    expect(parseHostAndPort(text)).toEqual(expected)
  })

  it.each(['', ':1', 'host', 'host:', 'host:0', 'host:123456', '::1:6379', 'redis://host:1', 'a@host:1'])(
    'are not read from %j',
    (text) => {
      expect(parseHostAndPort(text)).toBeUndefined()
    },
  )
})

describe('a database at the end of a URL', () => {
  it.each([
    ['redis://host:6379/2', { address: 'redis://host:6379', database: 2 }],
    ['rediss://:a/1@[::1]:6379/0', { address: 'rediss://:a/1@[::1]:6379', database: 0 }],
    ['redis://host/2', { address: 'redis://host', database: 2 }],
    ['redis://[::1]/2', { address: 'redis://[::1]', database: 2 }],
    ['redis://:a/1@host', { address: 'redis://:a/1@host' }],
    ['redis://host:6379', { address: 'redis://host:6379' }],
    ['redis://host:6379/', { address: 'redis://host:6379/' }],
    ['redis+uds:///run/1', { address: 'redis+uds:///run/1' }],
  ])('is taken off: %s', (url, expected) => {
    expect(splitDatabase(url)).toEqual(expected)
  })
})
