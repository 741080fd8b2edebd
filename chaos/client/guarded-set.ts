import { Redis } from 'ioredis'
import type { HostAndPort } from '../../src/index.js'
import { pageOf, tokenOf } from '../resource.js'

/** A page of the set, as it was read. */
export interface Page {
  readonly key: string
  readonly elements: readonly string[]
}

/** What the locks guard: sets that are read and written whole, so that of two who do that at once one loses. */
export class GuardedSet {
  readonly #redis: Redis

  constructor({ host, port }: HostAndPort) {
    this.#redis = new Redis({ host, port, protocol: 2 })
  }

  /** Reads the page of a moment. Answers `undefined` if a newer token has been seen. */
  async read(name: string, at: number, token: number | undefined): Promise<Page | undefined> {
    const key = pageOf(name, at)
    const [fits, text] = (await this.#redis.eval(READ, 2, key, tokenOf(name), token ?? '')) as Reply
    return fits === 1 ? { key, elements: JSON.parse(text ?? '[]') as string[] } : undefined
  }

  /** Writes a page, with one more element. Answers whether no newer token has been seen. */
  async add(name: string, page: Page, element: string, token: number | undefined): Promise<boolean> {
    const text = JSON.stringify([...page.elements, element])
    return (await this.#redis.eval(WRITE, 2, page.key, tokenOf(name), token ?? '', text)) === 1
  }

  close(): void {
    this.#redis.disconnect()
  }
}

type Reply = readonly [fits: number, text: string | null]

/** Reading counts as well: what is read under a token must not be changed any more under an older one. */
const FITS = `
local function fits()
  if ARGV[1] == '' then return true end
  if tonumber(ARGV[1]) < tonumber(redis.call('GET', KEYS[2]) or 0) then return false end
  redis.call('SET', KEYS[2], ARGV[1])
  return true
end`

const READ = `${FITS}
if not fits() then return {0} end
return {1, redis.call('GET', KEYS[1])}`

const WRITE = `${FITS}
if not fits() then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`
