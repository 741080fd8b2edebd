/** One entry of a map. */
export interface MapEntry<V> {
  readonly key: string
  readonly value: V
}

/** Entries that stand together, the newest first. */
export type Leaf<V> = readonly MapEntry<V>[]

/** Leaves out, or replaces, entries that are of no more use. */
export type Tidy<V> = (entries: Leaf<V>) => Leaf<V>

/** How many entries stand together at most, to be looked through one by one. Beyond, the hashes of their keys keep them apart. */
const MOST_TOGETHER = 32

/** How many bits of a hash one branch looks at. */
const BITS = 4

const CHILDREN = 1 << BITS

const DEEPEST = 32 / BITS

class Branch<V> {
  readonly children: readonly Node<V>[]

  constructor(children: readonly Node<V>[]) {
    this.children = children
  }
}

type Node<V> = Leaf<V> | Branch<V>

/**
 * A map that never changes. One with an entry more shares nearly all with the map that it was made of, and is made in about the same time
 * whether there are ten entries or ten thousand.
 */
export class PersistentMap<V> {
  readonly #root: Node<V>

  constructor(root: Node<V> = []) {
    this.#root = root
  }

  get(key: string): V | undefined {
    let node = this.#root
    for (let hash = node instanceof Branch ? hashOf(key) : 0; node instanceof Branch; hash >>>= BITS)
      node = node.children[hash % CHILDREN] ?? []
    return node.find((entry) => entry.key === key)?.value
  }

  /** A map with another entry, in place of the one with its key. The entries that stand together with it are tidied. */
  with(entry: MapEntry<V>, tidy: Tidy<V>): PersistentMap<V> {
    return new PersistentMap(withEntry(this.#root, entry, tidy))
  }

  values(): Generator<V> {
    return valuesOf(this.#root)
  }
}

function withEntry<V>(node: Node<V>, entry: MapEntry<V>, tidy: Tidy<V>, depth = 0): Node<V> {
  if (node instanceof Branch) {
    const index = indexOf(entry, depth)
    return new Branch(
      node.children.map((child, at) => (at === index ? withEntry(child, entry, tidy, depth + 1) : child)),
    )
  }
  const leaf = [entry, ...tidy(node.filter(({ key }) => key !== entry.key))]
  return leaf.length <= MOST_TOGETHER || depth === DEEPEST ? leaf : split(leaf, depth)
}

function split<V>(leaf: Leaf<V>, depth: number): Branch<V> {
  const children = Array.from({ length: CHILDREN }, (): MapEntry<V>[] => [])
  for (const entry of leaf) children[indexOf(entry, depth)]?.push(entry)
  return new Branch(children)
}

function indexOf({ key }: MapEntry<unknown>, depth: number): number {
  return (hashOf(key) >>> (depth * BITS)) % CHILDREN
}

function* valuesOf<V>(node: Node<V>): Generator<V> {
  if (node instanceof Branch) for (const child of node.children) yield* valuesOf(child)
  else for (const { value } of node) yield value
}

/** FNV-1a over the code units, with its bits mixed once more at the end, since the first levels look at the lowest alone. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
