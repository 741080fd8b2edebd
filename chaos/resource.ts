import type { ServerNode } from '../test/support/launch/topology.js'

/** A set begins a new page after this time, so that a page is small enough to be read and written whole. */
const PAGE_MS = 5_000

/** Where the page of a moment is. Holders of one lock use the same page, but for those who meet just when it is turned. */
export function pageOf(name: string, at: number): string {
  return `set:${name}:${Math.floor(at / PAGE_MS)}`
}

/** Where the newest token is that was seen. */
export function tokenOf(name: string): string {
  return `token:${name}`
}

/** All elements of a set, of all its pages. */
export async function elementsOf(resource: ServerNode, name: string): Promise<string[]> {
  const keys = (await resource.command('KEYS', `set:${name}:*`)) as string[]
  const pages = await Promise.all(keys.map((key) => resource.command('GET', key)))
  return pages.flatMap((page) => JSON.parse(String(page)) as string[])
}
