import { afterAll, beforeAll, describe } from 'vitest'
import {
  jacksonCodec,
  longCodec,
  stringCodec,
  type CommonOptions,
  type RedissonClient,
} from '../../../src/index.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'

/** The same codec on both sides, with keys of maps and values that Java can be given as JSON. */
interface CodecPair {
  readonly what: string
  readonly node: CommonOptions
  readonly java: string
  readonly keys: readonly [unknown, unknown, unknown]
  readonly values: readonly unknown[]
}

const ANY_VALUES = ['é😀\u001f/', 5, -1.5, true, [1, 'a', [2.5, null]], { z: 1, a: ['x'], c: { d: false } }]

export const pairs: readonly CodecPair[] = [
  {
    what: 'no codec in Node, texts and plain JSON in Java',
    node: {},
    java: PLAIN_JSON,
    keys: ['', 'ключ', 'a{b}'],
    values: [...ANY_VALUES, {}, []],
  },
  {
    what: 'JSON with marks',
    node: { codec: jacksonCodec() },
    java: 'org.redisson.codec.JsonJacksonCodec',
    keys: ['', 'ключ', 'a"b'],
    values: ANY_VALUES,
  },
  {
    what: 'texts',
    node: { codec: stringCodec() },
    java: 'org.redisson.client.codec.StringCodec',
    keys: ['', 'ключ', 'a{b}'],
    values: ['é😀', '5', ''],
  },
  {
    what: 'integers',
    node: { codec: longCodec() },
    java: 'org.redisson.client.codec.LongCodec',
    keys: [0, -7, 2 ** 40],
    values: [5, -7, 2 ** 52],
  },
]

/** A client on either side, with the same codec. */
export interface Sides {
  readonly node: RedissonClient
  readonly java: JavaThread
}

/** Runs tests for each codec that both sides have. */
export function describeCodecs(
  bench: InteropFixture,
  what: string,
  tests: (sides: Sides, pair: CodecPair) => void,
): void {
  describe.each(pairs)(`${what} ($what)`, (pair) => {
    tests(openSides(bench, { node: pair.node, java: { codec: pair.java } }), pair)
  })
}

/** Connects a client of either side for the tests of a `describe`. Java reads from masters, as Node does. */
export function openSides(bench: InteropFixture, options: Parameters<InteropFixture['open']>[0]): Sides {
  let open: Awaited<ReturnType<InteropFixture['open']>> | undefined
  const there = () => {
    if (open !== undefined) return open
    throw new Error('The clients connect before the first test, and not sooner')
  }

  beforeAll(async () => {
    const section = bench.topology.kind === 'cluster' ? { readMode: 'MASTER' } : {}
    open = await bench.open({ ...options, java: { ...options.java, section } })
  })

  afterAll(() => open?.[Symbol.asyncDispose]())

  return {
    get node() {
      return there().node
    },
    get java() {
      return there().java.thread('values')
    },
  }
}
