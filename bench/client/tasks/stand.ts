import type { Redis } from 'ioredis'
import type { ChildMessage } from '../../../test/support/child.js'
import type { Kind, Session, Take } from '../../contenders/contender.js'

/** What a process has to work with. */
export interface Stand {
  readonly session: Session
  /** A connection for the sections themselves. */
  readonly redis: Redis
}

/** How a process speaks with the one that measures, in the middle of a task. */
export interface Talk {
  readonly tell: (event: string, facts?: Readonly<Record<string, unknown>>) => void
  readonly hear: (event: string) => Promise<ChildMessage>
}

/**
 * How the contender takes things of a kind.
 *
 * @throws Error if it has none
 */
export function takeOf({ session }: Stand, kind: Kind): Take {
  const take = session.takes[kind]
  if (take === undefined) throw new Error(`Expected a contender that has a ${kind}, got one that has none`)
  return take
}
