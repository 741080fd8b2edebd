import type { ServerNode } from './topology.js'

/** Sends the same command to several servers at once. Resolves with their replies, in their order. */
export async function askEach(
  nodes: readonly ServerNode[],
  name: string,
  ...args: (string | number)[]
): Promise<unknown[]> {
  return Promise.all(nodes.map((node) => node.command(name, ...args)))
}
