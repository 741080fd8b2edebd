import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isRedissonError, Redisson, type RedissonClient } from '../../../src/index.js'
import { describeFaults, strike, type Fault } from '../../support/faults.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** A value of 100 kB. */
export const LARGE = 'x'.repeat(100_000)

/** One call that changes an object, whose effect would count twice, or whose reply would say less, if it ran twice. */
export interface CountingCall {
  readonly what: string
  /** Puts the object into the state before the call. */
  readonly prepare: (client: RedissonClient, name: string) => Promise<unknown>
  readonly call: (client: RedissonClient, name: string, exactlyOnce: boolean) => Promise<unknown>
  /** What the call returns when it has run once. */
  readonly answer: unknown
  /** What is there before the call, and after it has run once. */
  readonly states: readonly [before: unknown, after: unknown]
}

/** One call that is sent again when its reply is lost, and what another client does in between. */
export interface RepeatedCall {
  readonly what: string
  /** Puts the object into the state before the call. */
  readonly prepare: (client: RedissonClient, name: string) => Promise<unknown>
  readonly call: (client: RedissonClient, name: string, exactlyOnce: boolean) => Promise<unknown>
  readonly between: (client: RedissonClient, name: string) => Promise<unknown>
  /** What the call returns when it has run once. */
  readonly answer: unknown
  /** Whether a copy that comes after the other client cannot find out what the first one did. */
  readonly rejects?: boolean
}

/** Tests that a call which another client has overtaken takes effect once with `exactlyOnce`, and returns nothing wrong without. */
export function testOvertakenCalls(
  kind: string,
  calls: readonly RepeatedCall[],
  look: (client: RedissonClient, name: string) => Promise<unknown>,
): void {
  describe(`a call of ${kind} whose reply is lost while another client writes`, () => {
    let door: Proxied<SingleTopology<ServerNode>>
    let client: RedissonClient
    let straight: RedissonClient
    let names = 0
    let name: string

    beforeAll(async () => {
      door = await proxied(single)
      client = await Redisson.create(door.options(SETTINGS))
      straight = await Redisson.create(single.options())
    })

    beforeEach(() => {
      name = `overtaken-${kind.replaceAll(' ', '-')}-${String(names++)}`
    })

    afterEach(async () => {
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      await straight.getKeys().deleteByPattern(`*${name}*`) // all keys of an object that has several
    })

    afterAll(async () => {
      await Promise.all([client.shutdown(), straight.shutdown()])
      await door.stop()
      await forget(single.nodes[0])
    })

    /** Returns what the call does, and what is there before and after its second copy. */
    const overtake = async (
      { prepare, call, between }: Omit<RepeatedCall, 'answer'>,
      exactlyOnce: boolean,
    ) => {
      await call(client, `${name}-warm`, exactlyOnce).catch(() => undefined) // so that the server knows the script
      await straight.getBucket(`${name}-warm`).delete()
      await prepare(straight, name)
      let written: unknown
      const fault: Fault = [
        'is answered, and the answer cut off when another client has written',
        'reply',
        async (passing) => {
          await between(straight, name)
          written = await look(straight, name)
          passing.cut()
        },
      ]
      const { struck } = strike(door.proxies, name, fault)
      const outcome = await call(client, name, exactlyOnce).catch((error: unknown) => error)
      await struck
      return { outcome, written, left: await look(straight, name) }
    }

    it.each(calls.map((call) => [call.what, call] as const))(
      'has taken effect before that with exactlyOnce: %s',
      async (_, call) => {
        const { outcome, written, left } = await overtake(call, true)
        expect(outcome).toEqual(call.answer)
        expect(left).toEqual(written)
      },
    )

    it.each(calls.filter(({ rejects }) => rejects).map((call) => [call.what, call] as const))(
      'rejects without exactlyOnce where it cannot tell what it did: %s',
      async (_, call) => {
        expect((await overtake(call, false)).outcome).toMatchObject({ mayHaveRun: true })
      },
    )
  })
}

/** Which calls are tested. */
export interface LostRepliesOptions {
  /**
   * Whether the calls have `exactlyOnce`.
   *
   * @defaultValue true
   */
  readonly exactlyOnce?: boolean
}

/** Tests that no lost request and no lost reply makes a call count twice, in either mode. */
export function testLostReplies(
  kind: string,
  calls: readonly CountingCall[],
  look: (client: RedissonClient, name: string) => Promise<unknown>,
  { exactlyOnce = true }: LostRepliesOptions = {},
): void {
  describe(`a call of ${kind}`, () => {
    let door: Proxied<SingleTopology<ServerNode>>
    let client: RedissonClient
    let straight: RedissonClient
    let names = 0
    let name: string

    beforeAll(async () => {
      door = await proxied(single)
      client = await Redisson.create(door.options(SETTINGS))
      straight = await Redisson.create(single.options())
    })

    beforeEach(() => {
      name = `lost-${kind.replaceAll(' ', '-')}-${String(names++)}`
    })

    afterEach(async () => {
      await Promise.all(door.proxies.map((proxy) => proxy.heal()))
      await straight.getKeys().deleteByPattern(`*${name}*`) // all keys of an object that has several
    })

    afterAll(async () => {
      await Promise.all([client.shutdown(), straight.shutdown()])
      await door.stop()
      await forget(single.nodes[0])
    })

    describeFaults('that %s', TIMEOUT_MS, (...fault) => {
      it.each(calls.map((call) => [call.what, call] as const))(
        'is not sent again, or takes effect once: %s',
        async (_, { prepare, call, answer, states: [before, after] }) => {
          await prepare(straight, name)
          const { struck } = strike(door.proxies, name, fault)
          const outcome = await call(client, name, false).then(
            (value) => ({ value }),
            (error: unknown) => ({ error }),
          )
          await struck
          if ('value' in outcome) {
            expect(outcome.value).toEqual(answer)
            expect(await look(straight, name)).toEqual(after)
          } else {
            expect(isRedissonError(outcome.error)).toBe(true)
            expect(outcome.error).toMatchObject({ mayHaveRun: true })
            expect([before, after]).toContainEqual(await look(straight, name))
          }
        },
      )

      if (!exactlyOnce) return
      it.each(calls.map((call) => [call.what, call] as const))(
        'takes effect once and returns its own reply with exactlyOnce: %s',
        async (_, { prepare, call, answer, states: [, after] }) => {
          await prepare(straight, name)
          const { struck } = strike(door.proxies, name, fault)
          expect(await call(client, name, true)).toEqual(answer)
          await struck
          expect(await look(straight, name)).toEqual(after)
        },
      )
    })
  })
}

/** Removes what calls that were sent again leave for a while, which the tests that follow would find. */
async function forget(node: ServerNode): Promise<void> {
  const kept = (await node.command('KEYS', 'redisson__once:*')) as string[]
  if (kept.length > 0) await node.command('DEL', ...kept)
}
