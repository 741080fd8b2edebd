import type { Redis } from 'ioredis'
import type { NodeOptions } from './ioredis-options.js'

/**
 * Makes a node of a cluster read integers as digits, except over the connection by which ioredis requests the slots: ioredis compares them
 * as numbers, and would lose some otherwise.
 */
export function readDigits(node: Redis): void {
  node.options.stringNumbers = true
  const duplicate = node.duplicate.bind(node)
  node.duplicate = (overrides?: NodeOptions) => duplicate({ stringNumbers: false, ...overrides })
}
