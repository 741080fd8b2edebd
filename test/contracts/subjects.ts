import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RedissonClient } from '../../src/index.js'
import type { Sample, Subject } from './subject.js'

const test = resolve(import.meta.dirname, '..')

/** The same for tests that know no subject by name. */
export interface AnySubject extends Omit<Subject, 'methods'> {
  readonly methods: Readonly<Record<string | symbol, Sample>>
}

const modules = await Promise.all(
  globSync('**/*.subject.ts', { cwd: test })
    .sort()
    .map((file) => import(join(test, file)) as Promise<Readonly<Record<string, AnySubject>>>),
)

/** All that a program can hold in its hands, by what it is. */
export const subjects = Object.assign({}, ...modules) as Readonly<Record<string, AnySubject>>

/** Whether an object has a method that it does not refuse. */
export const has = ({ methods }: AnySubject, method: string) =>
  method in methods && methods[method]?.asksNothing !== true

/** What stays on purpose, or for as long as a request may be repeated, the share of a client that has gone, and copies. */
export const KEPT =
  /^(redisson_lock_token|ioredisson_fencing_token|redisson_unlock_latch|redisson_once|redisson__once|guarded|\{?renamed|(?:io)?redisson_[a-z_]+:\{renamed)|:[0-9a-f]{32}:(counter|semaphore)$|^\{?rateLimiter.*:(value|permits):[-0-9a-f]{36}$|^ioredisson_cache_clear:|^cache.*:\{/s

/** An object of this kind with something in it. */
export async function filled(
  { make, ...subject }: AnySubject,
  client: RedissonClient,
  name: string,
): Promise<object> {
  const object = await make(client, name)
  await subject.fill?.(object)
  return object
}
