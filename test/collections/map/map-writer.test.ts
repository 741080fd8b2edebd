import { describe, expect, it } from 'vitest'
import {
  CodecError,
  LockLostError,
  MarkLostError,
  PermitLostError,
  bytesCodec,
  longCodec,
  stringCodec,
  type ComputeContext,
  type MapOptions,
  type RMap,
} from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** What a program remembers of its requests for a while. */

/** What each method does to a map with `a` and `b`, and to the table behind it. */
const changes: readonly (readonly [
  name: string,
  call: (map: RMap<string, unknown>) => Promise<unknown>,
  answer: unknown,
  written: readonly string[],
])[] = [
  ['put', (map) => map.put('a', 5), 1, ['a=5']],
  ['put of a new key', (map) => map.put('c', 5), undefined, ['c=5']],
  ['fastPut', (map) => map.fastPut('a', 5), false, ['a=5']],
  ['fastPut of a new key', (map) => map.fastPut('c', 5), true, ['c=5']],
  ['putIfAbsent', (map) => map.putIfAbsent('c', 5), undefined, ['c=5']],
  ['putIfAbsent of what is there', (map) => map.putIfAbsent('a', 5), 1, []],
  ['fastPutIfAbsent', (map) => map.fastPutIfAbsent('c', 5), true, ['c=5']],
  ['fastPutIfAbsent of what is there', (map) => map.fastPutIfAbsent('a', 5), false, []],
  ['putIfExists', (map) => map.putIfExists('a', 5), 1, ['a=5']],
  ['putIfExists of what is not', (map) => map.putIfExists('c', 5), undefined, []],
  ['fastPutIfExists', (map) => map.fastPutIfExists('a', 5), true, ['a=5']],
  ['fastReplace of what is not there', (map) => map.fastReplace('c', 5), false, []],
  ['replace', (map) => map.replace('a', 5), 1, ['a=5']],
  ['replace of the expected', (map) => map.replace('a', 1, 5), true, ['a=5']],
  ['replace of another', (map) => map.replace('a', 2, 5), false, []],
  ['remove', (map) => map.remove('a'), 1, ['-a']],
  ['remove of what is not there', (map) => map.remove('c'), undefined, []],
  ['remove of the expected', (map) => map.remove('a', 1), true, ['-a']],
  ['remove of another', (map) => map.remove('a', 2), false, []],
  ['fastRemove', (map) => map.fastRemove('a', 'c', 'b', 'a'), 2, ['-a', '-b']],
  ['addAndGet', (map) => map.addAndGet('a', 0.2), 1.2, ['a=1.2']],
  ['addAndGet of a new key', (map) => map.addAndGet('c', -2), -2, ['c=-2']],
  ['compute', (map) => map.compute('a', (_, value) => Number(value) + 1), 2, ['a=2']],
  ['compute that removes', (map) => map.compute('a', () => undefined), undefined, ['-a']],
  ['computeIfAbsent', (map) => map.computeIfAbsent('c', () => 5), 5, ['c=5']],
  ['computeIfPresent', (map) => map.computeIfPresent('c', () => 5), undefined, []],
  ['merge', (map) => map.merge('a', 2, (one, two) => Number(one) + Number(two)), 3, ['a=3']],
  ['putAll', (map) => map.putAll({ b: 6, c: 7 }), undefined, ['b=6', 'c=7']],
]

describe.each(slottedTopologies)('a map with a writer ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A table behind two maps of two clients, with what was written to it in order. */
  const table = (options: Omit<MapOptions<string, unknown>, 'writer'> = {}) => {
    const name = `written-${topology.kind}-${String(names++)}`
    const rows = new Map<string, unknown>()
    const log: string[] = []
    const calls: number[] = []
    const state = { failures: 0 }
    const failing = (size: number) => {
      calls.push(size)
      if (state.failures > 0) {
        state.failures -= 1
        throw new Error('no table')
      }
    }
    const writer = {
      write: async (entries: ReadonlyMap<string, unknown>) => {
        failing(entries.size)
        await Promise.resolve()
        for (const [key, value] of entries) {
          rows.set(key, value)
          log.push(`${key}=${String(value)}`)
        }
      },
      delete: (keys: readonly string[]) => {
        failing(keys.length)
        for (const key of keys) {
          rows.delete(key)
          log.push(`-${key}`)
        }
      },
    }
    const settings = { ...options, writer }
    const mine: RMap<string, unknown> = clients.mine.getMap(name, settings)
    const other: RMap<string, unknown> = clients.other.getMap(name, settings)
    return { mine, other, plain: clients.mine.getMap(name), rows, log, calls, state, writer, name }
  }

  describe.each(['WRITE_THROUGH', 'WRITE_BEHIND'] as const)('that is called by %s', (writeMode) => {
    it.each(changes)('writes what %s changes', async (_, call, answer, written) => {
      const { mine, plain, rows, log } = table({ writeMode })
      await mine.putAll({ a: 1, b: 2 })
      await mine.flush()
      log.length = 0
      expect(await call(mine)).toEqual(answer)
      if (writeMode === 'WRITE_BEHIND') await mine.flush()
      expect(log.sort()).toEqual([...written].sort())
      expect(await plain.readAllMap()).toEqual(rows)
      await plain.delete()
    })

    it.each<
      readonly [string, (map: RMap<string, unknown>) => Promise<unknown>, unknown, readonly string[], unknown]
    >([
      ['putIfAbsent', (map) => map.putIfAbsent('a', 5), 1, [], 1],
      ['fastPutIfAbsent', (map) => map.fastPutIfAbsent('a', 5), false, [], 1],
      ['putIfExists', (map) => map.putIfExists('a', 5), 1, ['a=5'], 5],
      ['fastPutIfExists', (map) => map.fastPutIfExists('a', 5), true, ['a=5'], 5],
      ['replace of the expected', (map) => map.replace('a', 1, 5), true, ['a=5'], 5],
      ['replace of another', (map) => map.replace('a', 2, 5), false, [], 1],
      ['remove', (map) => map.remove('a'), undefined, ['-a'], undefined],
      ['remove of the expected', (map) => map.remove('a', 1), true, ['-a'], undefined],
      ['remove of another', (map) => map.remove('a', 2), false, [], 1],
      ['fastRemove', (map) => map.fastRemove('a', 'b'), 0, ['-a', '-b'], undefined],
      ['addAndGet', (map) => map.addAndGet('a', 2), 3, ['a=3'], 3],
      ['computeIfPresent', (map) => map.computeIfPresent('a', () => 5), 5, ['a=5'], 5],
      ['compute that removes', (map) => map.compute('a', () => undefined), undefined, ['-a'], undefined],
      ['compute of what is nowhere', (map) => map.compute('x', () => undefined), undefined, [], 1],
      ['putIfExists of what is nowhere', (map) => map.putIfExists('x', 5), undefined, [], 1],
    ])('%s knows what a loader has and the map has not', async (_, call, answer, written, after) => {
      const loader = { load: (key: string): unknown => behindIt.rows.get(key) }
      const behindIt = table({ writeMode, writeBehindDelayMs: 60_000, loader })
      const { mine, plain, rows, log } = behindIt
      rows.set('a', 1).set('b', 2)
      expect(await call(mine)).toEqual(answer)
      expect(await mine.get('a')).toEqual(after)
      await mine.flush()
      expect(log).toEqual(written)
      expect(rows.get('a')).toEqual(after)
      await plain.delete()
      expect(await mine.get('a')).toEqual(after)
      await plain.delete()
    })

    it('gives many entries to the writer together', async () => {
      const { mine, plain, rows, calls } = table({ writeMode })
      const entries = Array.from({ length: 120 }, (_, n) => [`key ${String(n)}`, n] as const)
      await mine.putAll(entries)
      await mine.flush()
      expect(rows).toEqual(new Map(entries))
      expect(calls).toEqual([50, 50, 20])
      expect(await mine.fastRemove(...entries.map(([key]) => key), 'other')).toBe(120)
      await mine.flush()
      expect(rows.size).toBe(0)
      expect(await plain.isExists()).toBe(false)
    })

    it('has the same as the map after many changes by two clients at the same time', async () => {
      const { mine, other, plain, rows } = table({ writeMode, writeBehindDelayMs: 5 })
      const keys = ['a', 'b', 'c']
      const flow = async (map: RMap<string, unknown>, flowId: number) => {
        for (let n = 0; n < 30; n += 1) {
          const key = keys[Math.floor(Math.random() * keys.length)] as string
          const dice = Math.random()
          if (dice < 0.5) await map.put(key, flowId * 1000 + n)
          else if (dice < 0.7) await map.remove(key)
          else if (dice < 0.9) await map.merge(key, 1, (before) => Number(before) + 1)
          else await map.putAll({ a: flowId, c: n })
        }
      }
      await Promise.all([flow(mine, 1), flow(mine, 2), flow(other, 3), flow(other, 4)])
      await mine.flush()
      expect(await plain.readAllMap()).toEqual(rows)
      await plain.delete()
    })

    it('may change the lists that it is given', async () => {
      const { mine, plain, writer, state, log } = table({
        writeMode,
        writerRetryAttempts: 1,
        writerRetryIntervalMs: 0,
      })
      const { write } = writer
      Object.assign(writer, {
        write: async (entries: Map<string, unknown>) => {
          const given = new Map(entries)
          entries.clear()
          await write(given)
        },
        delete: (keys: string[]) => {
          const given = keys.splice(0)
          if (state.failures > 0) {
            state.failures -= 1
            throw new Error('no table')
          }
          log.push(...given.map((key) => `-${key}`))
        },
      })
      state.failures = 1
      await mine.putAll({ a: 1, b: 2 })
      await mine.flush()
      expect(log.splice(0).sort()).toEqual(['a=1', 'b=2'])
      state.failures = 1
      expect(await mine.fastRemove('a', 'b')).toBe(2)
      await mine.flush()
      expect(log.sort()).toEqual(['-a', '-b'])
      expect(await plain.isExists()).toBe(false)
    })

    it.each<
      [
        what: string,
        call: (map: RMap<Uint8Array, Uint8Array>, key: Buffer, value: Buffer) => Promise<unknown>,
      ]
    >([
      ['put', (map, key, value) => map.put(key, value)],
      ['putAll', (map, key, value) => map.putAll([[key, value]])],
      ['putIfExists', (map, key, value) => map.putIfExists(key, value)],
      ['merge', (map, key, value) => map.merge(key, value, () => Buffer.from('1'))],
      ['remove', (map, key) => map.remove(key)],
      ['fastRemove', (map, key) => map.fastRemove(key)],
    ])('has %s change the entry whose key it was given, whatever becomes of that', async (what, call) => {
      const name = `written-${topology.kind}-${String(names++)}`
      const codec = { key: bytesCodec(), value: bytesCodec() }
      const nothing = { write: () => undefined, delete: () => undefined }
      const map = clients.mine.getMap(name, { codec, writeMode, writer: nothing })
      const texts = { key: stringCodec(), value: stringCodec() }
      const plain = clients.other.getMap<string, string>(name, { codec: texts })
      await plain.putAll({ a: '0', b: '0' })
      const [key, value] = [Buffer.from('a'), Buffer.from('1')]
      const changed = call(map, key, value)
      key.write('b')
      value.write('2')
      await changed
      const rest = await plain.readAllMap()
      expect(rest.get('b')).toBe('0')
      expect(rest.get('a')).toBe(what.endsWith('emove') ? undefined : '1')
      await map.flush()
      await plain.delete()
    })

    it('has putAll set values as they were at the call', async () => {
      const { mine, plain } = table({ writeMode })
      const value = { n: 1 }
      const put = mine.putAll({ a: value })
      value.n = 2
      await put
      expect(await plain.get('a')).toEqual({ n: 1 })
      await mine.flush()
      await plain.delete()
    })

    describe('and whose entries are locked by the flow', () => {
      /** The same as {@link table}, with a loader, so that both modes take locks. */
      const loaded = () => table({ writeMode, loader: { load: () => undefined } })

      const calls: readonly (readonly [
        name: string,
        call: (map: RMap<string, unknown>) => Promise<unknown>,
        written: readonly string[],
      ])[] = [
        ['putAll', (map) => map.putAll({ b: 5, c: 6, a: 7 }), ['a=7', 'b=5', 'c=6']],
        ['fastRemove', (map) => map.fastRemove('b', 'c', 'a'), ['-a', '-b', '-c']],
      ]

      it.each(calls)('has %s enter what withLock() holds', async (_, call, written) => {
        const { mine, plain, log } = loaded()
        await mine.getLock('b').withLock(() => call(mine))
        await mine.flush()
        expect(log.sort()).toEqual(written)
        expect(await plain.getLock('b').isLocked()).toBe(false)
        await plain.delete()
      })

      it.each(calls)('has %s enter what a thread holds', async (_, call, written) => {
        const { mine, plain, log } = loaded()
        await clients.mine.runAsThread(async () => {
          await mine.getLock('b').lock()
          await call(mine)
          expect(await mine.getLock('b').getHoldCount()).toBe(1)
          await mine.getLock('b').unlock()
        })
        await mine.flush()
        expect(log.sort()).toEqual(written)
        await plain.delete()
      })

      it.each(calls)('has %s enter a part of what a multi-lock holds', async (_, call, written) => {
        const { mine, plain, log } = loaded()
        const locks = ['d', 'c', 'b'].map((key) => mine.getLock(key))
        await clients.mine.getMultiLock(...locks).withLock(() => call(mine))
        await mine.flush()
        expect(log.sort()).toEqual(written)
        await plain.delete()
      })

      it('has calls beside each other take turns, in whatever order their keys are', async () => {
        const { mine, other, plain, rows, writer } = loaded()
        const { write } = writer
        let inside = 0
        let most = 0
        writer.write = async (entries) => {
          inside += 1
          most = Math.max(most, inside)
          for (let n = 0; n < 5; n += 1) await plain.size() // time for another one to come in
          await write(entries)
          inside -= 1
        }
        await mine.getLock('b').withLock(async () => {
          const beside = Array.from({ length: 6 }, (_, n) => [
            mine.putAll({ a: n, b: n, c: n }),
            mine.putAll({ c: -n, b: -n, a: -n }),
            mine.put('b', n),
            other.putAll({ c: n, a: n }),
          ])
          await Promise.all(beside.flat())
        })
        await mine.flush()
        if (writeMode === 'WRITE_THROUGH') expect(most).toBeLessThanOrEqual(2) // of `b`, and of the others
        expect(await plain.readAllMap()).toEqual(rows)
        await plain.delete()
      })

      it.each(calls)('has %s refuse the key whose value is computed', async (_, call) => {
        for (const { mine, plain, log } of [loaded(), table({ writeMode })]) {
          await mine.put('b', 1)
          const computed = mine.compute('b', () => call(mine))
          await expect(computed).rejects.toMatchObject({ code: 'NESTED_COMPUTE', mayHaveRun: false })
          await mine.flush()
          expect(log).toEqual(['b=1'])
          expect(await mine.compute('x', async () => (await call(mine)) ?? 'done')).toBeDefined()
          await mine.flush()
          await plain.delete()
        }
      })

      it('has calls with many keys refuse the one whose value is computed before anything is sent', async () => {
        const { mine, log } = loaded()
        const keys = Array.from({ length: 60 }, (_, n) => `key ${String(n)}`)
        const put = () => mine.putAll(keys.map((key) => [key, 1] as const))
        await expect(mine.compute('key 59', put)).rejects.toMatchObject({ code: 'NESTED_COMPUTE' })
        const remove = () => mine.fastRemove(...keys)
        await expect(mine.compute('key 59', remove)).rejects.toMatchObject({ code: 'NESTED_COMPUTE' })
        await mine.flush()
        expect(log).toEqual([])
      })
    })

    it('refuses what is no writer, and settings that are none', () => {
      const get = (options: object) => () => clients.mine.getMap('m', options)
      expect(get({ writer: { write: () => 1 }, writeMode })).toThrow('`writer.delete`')
      expect(get({ writeMode: 'BEHIND' })).toThrow('`writeMode`')
      expect(get({ writeBehindDelayMs: -1 })).toThrow('`writeBehindDelayMs`')
      expect(get({ writeBehindBatchSize: 5001 })).toThrow('`writeBehindBatchSize`')
      expect(get({ writerRetryAttempts: 0.5 })).toThrow('`writerRetryAttempts`')
      expect(get({ writerRetryIntervalMs: Infinity })).toThrow('`writerRetryIntervalMs`')
    })
  })

  describe('that is called before the map is changed', () => {
    it('leaves the map as it is when it fails', async () => {
      const { mine, plain, state } = table()
      await mine.put('a', 1)
      for (const [name, call, , written] of changes.filter(([, , , written]) => written.length > 0)) {
        state.failures = 1
        const before = await plain.readAllMap()
        await expect(call(mine), `${name} ${written.join()}`).rejects.toThrow('no table')
        expect(await plain.readAllMap()).toEqual(before)
        state.failures = 0
      }
      await plain.delete()
    })

    it('is called again as often as it may be', async () => {
      const { mine, plain, state, calls } = table({ writerRetryAttempts: 2, writerRetryIntervalMs: 1 })
      state.failures = 2
      await mine.put('a', 1)
      expect(calls).toHaveLength(3)
      state.failures = 3
      await expect(mine.put('a', 2)).rejects.toThrow('no table')
      expect(await plain.get('a')).toBe(1)
      await plain.delete()
    })
  })

  it('is called again for whatever it throws, and that is what its caller gets', async () => {
    const thrown = { reason: 'no table' }
    const failures: unknown[] = []
    let calls = 0
    const settings = (writeMode: 'WRITE_THROUGH' | 'WRITE_BEHIND') => ({
      writeMode,
      writeBehindDelayMs: 60_000,
      writerRetryAttempts: 2,
      writerRetryIntervalMs: 0,
      writer: {
        write: () => {
          calls += 1
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- as programs do
          if (calls % 3 !== 0 || calls < 6) throw thrown
        },
        delete: () => undefined,
        failed: (error: unknown) => failures.push(error),
      },
    })
    const name = `written-${topology.kind}-${String(names++)}`
    await expect(clients.mine.getMap(name, settings('WRITE_THROUGH')).put('a', 1)).rejects.toBe(thrown)
    expect(calls).toBe(3)
    calls = 0
    const behind = clients.mine.getMap(name, settings('WRITE_BEHIND'))
    await behind.put('a', 1)
    await expect(behind.flush()).rejects.toBe(thrown)
    expect(failures).toEqual([thrown])
    await behind.flush()
    expect(calls).toBe(6)
    await behind.delete()
  })

  describe('that has lost the lock while it wrote', () => {
    /** Two maps of one name, whose writer does something, and goes on once the lock is lost. */
    const losing = (meanwhile: (map: RMap<string, number>, context: ComputeContext) => unknown) => {
      const name = `written-${topology.kind}-${String(names++)}`
      const rows = new Map<string, number>()
      const plain = clients.mine.getMap<string, number>(name)
      const write = async (entries: ReadonlyMap<string, number>, context: ComputeContext) => {
        for (const entry of entries) rows.set(...entry)
        await plain.getLock('a').forceUnlock()
        expect(context.signal.aborted).toBe(true)
        await meanwhile(plain, context)
      }
      const writer = { write, delete: () => undefined }
      return { mine: clients.mine.getMap<string, number>(name, { writer }), plain, rows }
    }

    it.each<[what: string, call: (map: RMap<string, number>) => Promise<unknown>]>([
      ['put', (map) => map.put('a', 1)],
      ['compute', (map) => map.compute('a', () => 1)],
    ])('has %s change the map as well', async (_, call) => {
      const { mine, plain, rows } = losing(() => undefined)
      await call(mine)
      expect(await plain.readAllMap()).toEqual(new Map([['a', 1]]))
      expect(await plain.readAllMap()).toEqual(rows)
      await plain.delete()
    })

    it.each<[what: string, call: (map: RMap<string, number>) => Promise<unknown>]>([
      ['put', (map) => map.put('a', 1)],
      ['putAll', (map) => map.putAll({ a: 1 })],
    ])('has %s say that it may have run, if it rejects for that', async (_, call) => {
      const { mine, plain, rows } = losing((_, { signal }) => signal.throwIfAborted())
      await expect(call(mine)).rejects.toMatchObject({
        code: 'LOCK_LOST',
        reason: 'forced',
        mayHaveRun: true,
      })
      expect(rows.get('a')).toBe(1)
      await plain.delete()
    })

    it.each([
      new LockLostError({ lock: 'another', owner: 'client:1', reason: 'forced' }),
      new PermitLostError({ semaphore: 'semaphore', id: 'permit', reason: 'not-held' }),
      new MarkLostError({ once: 'once', fire: undefined, reason: 'not-held' }),
    ])('leaves alone the $name that is the reason of the signal of a call', async (reason) => {
      const calling = new AbortController()
      const { mine, plain } = losing(async (map) => {
        await map.put('a', 7)
        calling.abort(reason)
      })
      const computed = mine.compute('a', () => 1, { signal: calling.signal })
      await expect(computed).rejects.toMatchObject({ code: reason.code, mayHaveRun: true })
      expect(reason.mayHaveRun).toBe(false)
      await plain.delete()
    })

    it('has putAll leave the map alone, which may have been changed meanwhile', async () => {
      const { mine, plain, rows } = losing((map) => map.put('a', 7))
      await expect(mine.putAll({ a: 1 })).rejects.toMatchObject({ code: 'LOCK_LOST', mayHaveRun: true })
      expect([rows.get('a'), await plain.get('a')]).toEqual([1, 7])
      await plain.delete()
    })

    it('is not called again where the map was changed meanwhile, and says that it may have run', async () => {
      const { mine, plain, rows } = losing((map) => map.put('a', 7))
      await expect(mine.put('a', 1)).rejects.toMatchObject({ code: 'LOCK_LOST', mayHaveRun: true })
      expect([rows.get('a'), await plain.get('a')]).toEqual([1, 7])
      await plain.delete()
    })
  })

  describe('that is called some time later', () => {
    const behind = { writeMode: 'WRITE_BEHIND', writeBehindDelayMs: 50 } as const

    it('writes by itself, and of several changes the last', async () => {
      const { mine, plain, log } = table(behind)
      for (let n = 0; n <= 20; n += 1) await mine.put('a', n)
      await mine.put('b', 1)
      await mine.remove('b')
      await eventually(() => expect(log).toEqual(expect.arrayContaining(['a=20', '-b'])))
      expect(log.length).toBeLessThan(20)
      await plain.delete()
    })

    it('does not load what is not written yet', async () => {
      const rows: Record<string, unknown> = { a: 'old', b: 'old' }
      const loader = { load: (key: string) => rows[key] }
      const { mine, plain } = table({ ...behind, writeBehindDelayMs: 60_000, loader })
      expect(await mine.get('a')).toBe('old')
      await mine.remove('a')
      expect(await mine.get('a')).toBeUndefined()
      await mine.put('b', 'new')
      await plain.delete()
      expect(await mine.get('b')).toBe('new')
      await mine.loadAll({ keys: ['a', 'b'], replaceExisting: true })
      expect(await plain.readAllMap()).toEqual(new Map([['b', 'new']]))
      await mine.flush()
      await plain.delete()
    })

    it('is called again when it has failed, and says so', { tags: ['timed'] }, async () => {
      const failures: unknown[] = []
      const { mine, plain, state, rows, writer } = table(behind)
      Object.assign(writer, { failed: (error: Error, keys: unknown) => failures.push([error.message, keys]) })
      state.failures = 1
      await mine.put('a', 1)
      await eventually(() => expect(rows.get('a')).toBe(1))
      expect(failures).toEqual([['no table', ['a']]])
      state.failures = 1
      await mine.put('a', 2)
      await expect(mine.flush()).rejects.toThrow('no table')
      await mine.flush()
      expect(rows.get('a')).toBe(2)
      await plain.delete()
    })

    it('writes the others, where there is one that cannot be written', async () => {
      const { mine, plain, rows, writer } = table(behind)
      const { write } = writer
      Object.assign(writer, {
        failed: () => undefined,
        write: async (entries: ReadonlyMap<string, unknown>) => {
          if (entries.has('bad')) throw new Error('cannot be written')
          await write(entries)
        },
      })
      await mine.putAll({
        bad: 0,
        ...Object.fromEntries(Array.from({ length: 5 }, (_, n) => [String(n), n])),
      })
      await eventually(() => expect(rows.size).toBe(5))
      await mine.remove('bad')
      await mine.flush()
      await plain.delete()
    })

    it.each([
      ['key', 'no number', '"x"', []],
      ['value', '7', 'no JSON', [7]],
    ])('keeps a %s that cannot be read, says so, and writes the others', async (_, key, value, keys) => {
      const { plain, name } = table()
      const rows = new Map<number, unknown>()
      const failures: unknown[] = []
      const settings = { ...behind, writeBehindDelayMs: 60_000 }
      const map = clients.mine.getMap<number>(name, {
        ...settings,
        codec: { key: longCodec() },
        writer: {
          write: (entries) => entries.forEach((value, key) => rows.set(key, value)),
          delete: () => undefined,
          failed: (error, of) => failures.push([(error as Error).name, of]),
        },
      })
      const texts = { codec: { key: stringCodec(), value: stringCodec() } }
      const nothing = { write: () => undefined, delete: () => undefined }
      const other = clients.other.getMap<string, string>(name, { ...settings, ...texts, writer: nothing })
      await map.put(1, 'one')
      await other.put(key, value)
      await map.put(2, 'two')
      await expect(map.flush()).rejects.toThrow(CodecError)
      expect(failures).toEqual([['CodecError', keys]])
      expect(rows).toEqual(
        new Map([
          [1, 'one'],
          [2, 'two'],
        ]),
      )
      await other.flush() // a program that can read it
      await plain.delete()
    })

    it('writes what another client has left, when it is flushed', async () => {
      const { mine, other, plain, rows } = table({ ...behind, writeBehindDelayMs: 60_000 })
      await mine.put('a', 1)
      expect(rows.size).toBe(0)
      await other.flush()
      expect(rows).toEqual(new Map([['a', 1]]))
      await plain.delete()
    })
  })
})
