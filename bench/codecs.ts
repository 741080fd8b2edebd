import { isDeepStrictEqual } from 'node:util'
import { jsonCodec } from '../src/codec/json/json-codec.js'
import { highwayHash128 } from '../src/util/hash/highway-hash.js'
import { installPeers } from './peers/install-peers.js'
import { loadPeer } from './peers/load-peer.js'

/*
 * What codecs and hashes cost beside what they are measured against, without a server:
 *
 *   node --import ./test/support/typescript-hooks.ts bench/codecs.ts
 *
 * Each ratio is of the shortest of many short turns, which both take one after the other: what else the machine does falls on both.
 */

const TURNS = 400
const TURN_MS = 0.5

/** What both are given, and what both have to make of it. */
interface Comparison {
  readonly name: string
  readonly ours: () => unknown
  readonly theirs: () => unknown
  /** Makes of what they return what ours does; not measured. */
  readonly alike?: (theirs: unknown) => unknown
}

interface Hasher {
  hash128(key: Uint8Array, data: Uint8Array): Uint8Array
}

interface HasherPackage {
  readonly WasmHighwayHash: { loadModule(): Promise<Hasher> }
}

const user = {
  id: 12345,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  active: true,
  roles: ['admin', 'user'],
  address: { city: 'London', zip: 'NW1' },
  score: 12.5,
}

/** The key of Redisson: four words of 64 bits, the lowest byte first. */
const KEY = Buffer.alloc(32)
for (const [at, word] of [
  0x9e3779b97f4a7c15n,
  0xf39cc0605cedc834n,
  0x1082276bf3a27251n,
  0xf86c6a11d0c18e95n,
].entries())
  KEY.writeBigUInt64LE(word, at * 8)

await installPeers(() => {
  console.error('Installing the peers')
})
const comparisons = [...ofJson(), ...(await ofHashes())]
for (const { name, ours, theirs, alike = (result: unknown) => result } of comparisons) {
  if (!isDeepStrictEqual(ours(), alike(theirs()))) throw new Error(`Expected the same of both for ${name}`)
  console.log(`${name}: ${ratioOf(ours, theirs).toFixed(2)}`)
}

function ofJson(): Comparison[] {
  const codec = jsonCodec()
  const users = Array.from({ length: 20 }, () => user)
  return [user, users].flatMap((value, at) => {
    const bytes = Buffer.from(JSON.stringify(value))
    const what = at === 0 ? 'an object' : 'a list of 20'
    return [
      {
        name: `write ${what}, of JSON.stringify`,
        ours: () => codec.encode(value),
        theirs: () => JSON.stringify(value),
      },
      {
        name: `read ${what}, of JSON.parse`,
        ours: () => codec.decode(bytes),
        theirs: (): unknown => JSON.parse(bytes.toString()),
      },
    ]
  })
}

async function ofHashes(): Promise<Comparison[]> {
  const { WasmHighwayHash } = await loadPeer<HasherPackage>('highwayhasher')
  const hasher = await WasmHighwayHash.loadModule()
  return [13, 100, 1000].map((length) => {
    const bytes = Buffer.alloc(length, 'abcdefghijklm')
    return {
      name: `hash ${length} bytes, of highwayhasher in WASM`,
      ours: () => highwayHash128(bytes),
      theirs: () => hasher.hash128(KEY, bytes),
      alike: (hash) => inOrder(hash as Uint8Array),
    }
  })
}

/** The package has each half with its lowest byte first. */
function inOrder(hash: Uint8Array): Buffer {
  const words = Buffer.from(hash)
  words.subarray(0, 8).reverse()
  words.subarray(8).reverse()
  return words
}

/** How quick one is beside the other. */
function ratioOf(ours: () => unknown, theirs: () => unknown): number {
  const shortest = [Infinity, Infinity]
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [at, call] of [ours, theirs].entries())
      shortest[at] = Math.min(shortest[at] ?? Infinity, timeOf(call))
  }
  const [own = NaN, other = NaN] = shortest
  return other / own
}

/** Milliseconds for each call, of a turn of calls. */
function timeOf(call: () => unknown): number {
  const startedAt = performance.now()
  let calls = 0
  do {
    for (let more = 0; more < 20; more += 1) call()
    calls += 20
  } while (performance.now() - startedAt < TURN_MS)
  return (performance.now() - startedAt) / calls
}
